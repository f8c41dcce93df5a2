/* Four ranks with eleven communicators and every kind of pending operation, which
 * write down what they know of them.
 *
 * Each rank writes FOLDER/RANK.json (FOLDER is the argument), one JSON object per
 * line: "record" is "communicator" or "operation". What a rank cannot know, such as
 * the datatype of a message that it has not received, is null. Operations of one
 * queue of one communicator are in the order in which MPI matches or started them.
 * "optional" ones may be left out of a list of pending operations.
 *
 * In the end rank 3 is in a blocking MPI_Ssend, the others compute until they are
 * released; then everything is completed, so that the program finishes.
 */
#include "tests/programs/pending_records.h"
#include "tests/programs/scenario.h"

enum { kMaxOperations = 64, kRanks = 4, kBlockingTag = 50, kCancelledTag = 17 };

typedef int (*StartSend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

struct SendKind {
    const char* function;
    StartSend start;
    const char* mode;
    int persistent;
};

struct Message {
    int communicator;
    int source;
    int tag;
    int bytes;
};

static const struct SendKind kIsend = {"MPI_Isend", MPI_Isend, "standard", 0};
static const struct SendKind kIssend = {"MPI_Issend", MPI_Issend, "synchronous", 0};
static const struct SendKind kIrsend = {"MPI_Irsend", MPI_Irsend, "ready", 0};
static const struct SendKind kIbsend = {"MPI_Ibsend", MPI_Ibsend, "buffered", 0};
static const struct SendKind kSendInit = {NULL, MPI_Send_init, "standard", 1};
static const struct SendKind kSsendInit = {NULL, MPI_Ssend_init, "synchronous", 1};

static int my_rank = -1;
static MPI_Request requests[kMaxOperations];
static int is_receive[kMaxOperations];
static int request_count = 0;
static struct Message messages[kMaxOperations];
static int message_count = 0;

static MPI_Request* new_request(int receive) {
    is_receive[request_count] = receive;
    return &requests[request_count++];
}

static void* new_buffer(int count, MPI_Datatype datatype) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(datatype, &lower, &extent);
    void* buffer = calloc((size_t)count + 1, (size_t)extent);
    if (buffer == NULL) {
        abort();
    }
    return buffer;
}

static void record_receive(struct Message envelope,
                           int count,
                           MPI_Datatype datatype,
                           const char* state,
                           MPI_Request request) {
    record((struct Operation){.queue = "posted_receive",
                              .communicator = envelope.communicator,
                              .peer = envelope.source,
                              .tag = envelope.tag,
                              .bytes = bytes_of(count, datatype),
                              .count = count,
                              .datatype = datatype,
                              .function = "MPI_Irecv",
                              .state = state,
                              .optional = envelope.tag == kCancelledTag,
                              .request = request});
}

/// MPI_Irecv that nothing matches before the release.
static void post_receive(int communicator, int source, int tag, int count, MPI_Datatype datatype) {
    MPI_Request* request = new_request(1);
    MPI_Irecv(new_buffer(count, datatype),
              count,
              datatype,
              source,
              tag,
              communicators[communicator],
              request);
    const char* state = "pending";
    if (tag == kCancelledTag) {
        MPI_Cancel(request);
        state = NULL;
    }
    record_receive(
        (struct Message){communicator, source, tag, 0}, count, datatype, state, *request);
}

/// MPI_Irecv whose message has arrived, and that is not waited for. `request` was
/// started before the sender sent.
static void note_completed_receive(MPI_Request request, int source, int tag) {
    int arrived = 0;
    while (!arrived) {
        MPI_Request_get_status(request, &arrived, MPI_STATUS_IGNORE);
    }
    record_receive((struct Message){kWorld, source, tag, 0}, 2, MPI_INT, "complete", request);
}

static void post_persistent_receive(int source, int tag, int start_it) {
    MPI_Request* request = new_request(1);
    MPI_Recv_init(new_buffer(4, MPI_INT), 4, MPI_INT, source, tag, MPI_COMM_WORLD, request);
    if (!start_it) {
        return;
    }
    MPI_Start(request);
    record((struct Operation){.queue = "posted_receive",
                              .communicator = kWorld,
                              .peer = source,
                              .tag = tag,
                              .bytes = bytes_of(4, MPI_INT),
                              .count = 4,
                              .datatype = MPI_INT,
                              .state = "pending",
                              .persistent = 1,
                              .request = *request});
}

/// Starts a send that the receiver takes only after the release.
static void start_send(const struct SendKind* kind,
                       int communicator,
                       int destination,
                       int tag,
                       int count,
                       MPI_Datatype datatype,
                       const char* state) {
    MPI_Request* request = new_request(0);
    kind->start(new_buffer(count, datatype),
                count,
                datatype,
                destination,
                tag,
                communicators[communicator],
                request);
    if (kind->persistent) {
        MPI_Start(request);
    }
    /* The handle of a buffered send names an object that is complete at once. */
    int buffered = kind == &kIbsend;
    record((struct Operation){.queue = "pending_send",
                              .communicator = communicator,
                              .peer = destination,
                              .tag = tag,
                              .bytes = bytes_of(count, datatype),
                              .count = buffered ? -1 : count,
                              .datatype = buffered ? MPI_DATATYPE_NULL : datatype,
                              .function = buffered ? NULL : kind->function,
                              .mode = kind->mode,
                              .state = state,
                              .persistent = kind->persistent,
                              .request = buffered ? MPI_REQUEST_NULL : *request});
}

/// Waits until a message is in the queue of unexpected messages.
static void await_message(int communicator, int source, int tag, int bytes) {
    int arrived = 0;
    while (!arrived) {
        MPI_Iprobe(source, tag, communicators[communicator], &arrived, MPI_STATUS_IGNORE);
    }
    messages[message_count++] = (struct Message){communicator, source, tag, bytes};
    record((struct Operation){.queue = "unexpected_message",
                              .communicator = communicator,
                              .peer = source,
                              .tag = tag,
                              .bytes = bytes,
                              .count = -1,
                              .datatype = MPI_DATATYPE_NULL,
                              .request = MPI_REQUEST_NULL});
}

static void post_receives(void) {
    if (my_rank == 0) {
        post_receive(kWorld, 1, 10, 5, MPI_INT);
        post_receive(kWorld, MPI_ANY_SOURCE, 11, 3, MPI_DOUBLE);
        post_receive(kWorld, 2, MPI_ANY_TAG, 7, MPI_CHAR);
        post_persistent_receive(3, 15, 1);
        post_persistent_receive(3, 16, 0);
        post_receive(kWorld, 1, kCancelledTag, 1, MPI_INT);
        post_receive(kCopy, MPI_ANY_SOURCE, MPI_ANY_TAG, 1, MPI_BYTE);
        post_receive(kCopy, 1, 12, 2, column);
        post_receive(kReversed, 0, 13, 2, particle);
        post_receive(kGrid, 2, 14, 6, MPI_LONG);
        post_receive(kBridge, 1, 16, 1, MPI_SHORT);
        post_receive(kBridge, MPI_ANY_SOURCE, 18, 2, MPI_SHORT);
        post_receive(kPair, 1, MPI_ANY_TAG, 100000, MPI_INT);
        post_receive(kSelf, 0, 19, 1, MPI_INT);
    } else if (my_rank == 1) {
        post_receive(kWorld, MPI_ANY_SOURCE, MPI_ANY_TAG, 100, MPI_FLOAT);
        post_receive(kParity, 1, 5, 1, field);
        post_receive(kInner, MPI_ANY_SOURCE, 6, 1, MPI_INT);
    } else if (my_rank == 2) {
        post_receive(kGraph, 1, 7, 0, MPI_INT);
        post_receive(kInner, 2, 8, 1, MPI_INT);
    } else {
        post_receive(kBridge, 0, 9, 1, MPI_INT);
    }
}

/// What matches at once and is not waited for: rank 1 to rank 0, rank 3 to rank 2.
static void exchange_completed(void) {
    MPI_Request* request = NULL;
    if (my_rank % 2 == 0) {
        request = new_request(1);
        MPI_Irecv(new_buffer(2, MPI_INT), 2, MPI_INT, my_rank + 1, 18, MPI_COMM_WORLD, request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank % 2 == 1) {
        const struct SendKind* kind = my_rank == 1 ? &kIsend : &kIrsend;
        start_send(kind, kWorld, my_rank - 1, 18, 2, MPI_INT, "complete");
    } else {
        note_completed_receive(*request, my_rank + 1, 18);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void attach_buffer(void) {
    int bytes = (int)sizeof(int) * kRendezvousInts + MPI_BSEND_OVERHEAD;
    MPI_Buffer_attach(new_buffer(bytes, MPI_BYTE), bytes);
}

static void send_from_1(void) {
    const int large = kRendezvousInts;
    MPI_Request* inactive = new_request(0);
    start_send(&kIsend, kWorld, 0, 20, 7, MPI_INT, "complete");
    start_send(&kIsend, kWorld, 0, 21, large, MPI_INT, "pending");
    start_send(&kIssend, kWorld, 0, 22, 3, MPI_INT, "pending");
    start_send(&kIbsend, kWorld, 0, 23, large, MPI_INT, NULL);
    start_send(&kSendInit, kWorld, 0, 24, large, MPI_INT, "pending");
    MPI_Send_init(new_buffer(1, MPI_INT), 1, MPI_INT, 0, 25, MPI_COMM_WORLD, inactive);
    start_send(&kSsendInit, kWorld, 0, 26, 1, MPI_INT, "pending");
}

static void send_from_2(void) {
    start_send(&kIsend, kReversed, 3, 27, 0, MPI_INT, "complete");
    start_send(&kIssend, kGraph, 0, 28, 2, particle, "pending");
    start_send(&kIsend, kInner, 2, 33, 1, field, "pending");
    start_send(&kIsend, kWorld, 2, 40, 3, MPI_INT, NULL);
}

static void send_from_3(void) {
    const int large = kRendezvousInts;
    start_send(&kIsend, kBridge, 0, 29, 10, MPI_CHAR, "complete");
    MPI_Bsend(new_buffer(large, MPI_INT), large, MPI_INT, 0, 30, MPI_COMM_WORLD);
    record((struct Operation){.queue = "pending_send",
                              .communicator = kWorld,
                              .peer = 0,
                              .tag = 30,
                              .bytes = bytes_of(large, MPI_INT),
                              .count = -1,
                              .datatype = MPI_DATATYPE_NULL,
                              .mode = "buffered",
                              .request = MPI_REQUEST_NULL});
}

/// From ranks 1 and 2; those of rank 3 follow, so that their order is known.
static void await_messages(void) {
    const int large = bytes_of(kRendezvousInts, MPI_INT);
    if (my_rank == 2) {
        await_message(kWorld, 2, 40, bytes_of(3, MPI_INT));
    }
    if (my_rank != 0) {
        return;
    }
    await_message(kWorld, 1, 20, bytes_of(7, MPI_INT));
    await_message(kWorld, 1, 21, large);
    await_message(kWorld, 1, 22, bytes_of(3, MPI_INT));
    await_message(kWorld, 1, 23, large);
    await_message(kWorld, 1, 24, large);
    await_message(kWorld, 1, 26, bytes_of(1, MPI_INT));
    await_message(kReversed, 1, 27, 0);
    await_message(kGraph, 2, 28, bytes_of(2, particle));
    await_message(kInner, 0, 33, bytes_of(1, field));
}

static void start_barrier(void) {
    MPI_Request* request = new_request(0);
    MPI_Ibarrier(communicators[kUnnamed], request);
    record((struct Operation){.queue = "collective",
                              .communicator = kUnnamed,
                              .peer = MPI_ANY_SOURCE,
                              .tag = MPI_ANY_TAG,
                              .bytes = -1,
                              .count = -1,
                              .datatype = MPI_DATATYPE_NULL,
                              .state = "pending",
                              .request = *request});
}

/// Rank 3's last step before the release; rank 0 sees the message, the others wait.
static void block_rank_3(void) {
    int value = 0;
    if (my_rank == 3) {
        record((struct Operation){.queue = "pending_send",
                                  .communicator = kReversed,
                                  .peer = 3,
                                  .tag = kBlockingTag,
                                  .bytes = bytes_of(1, MPI_INT),
                                  .count = 1,
                                  .datatype = MPI_INT,
                                  .function = "MPI_Ssend",
                                  .mode = "synchronous",
                                  .state = "pending",
                                  .request = MPI_REQUEST_NULL});
        publish_records();
        MPI_Ssend(&value, 1, MPI_INT, 3, kBlockingTag, communicators[kReversed]);  // @blocked
        return;
    }
    if (my_rank == 0) {
        await_message(kReversed, 0, kBlockingTag, bytes_of(1, MPI_INT));
    }
    publish_records();
    compute_until_released();
}

/// Takes every message, cancels every receive and completes everything.
static void complete_everything(void) {
    for (int i = 0; i < request_count; ++i) {
        int done = 1;
        if (is_receive[i]) {
            MPI_Request_get_status(requests[i], &done, MPI_STATUS_IGNORE);
        }
        if (!done) {
            MPI_Cancel(&requests[i]);
        }
    }
    for (int i = 0; i < message_count; ++i) {
        const struct Message* message = &messages[i];
        MPI_Recv(new_buffer(message->bytes, MPI_BYTE),
                 message->bytes,
                 MPI_BYTE,
                 message->source,
                 message->tag,
                 communicators[message->communicator],
                 MPI_STATUS_IGNORE);
    }
    MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
    my_rank = start(&argc, &argv);
    if (argc != 2 || world_size() != kRanks) {
        fprintf(stderr, "usage: mpiexec -n %d everything_pending FOLDER\n", kRanks);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    open_records(argv[1], my_rank);
    create_communicators(my_rank);
    record_communicators();
    create_datatypes();
    attach_buffer();
    post_receives();
    exchange_completed();
    if (my_rank != 2) {
        start_barrier();
    }
    if (my_rank == 1) {
        send_from_1();
    } else if (my_rank == 2) {
        send_from_2();
    }
    await_messages();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 3) {
        send_from_3();
    } else if (my_rank == 0) {
        await_message(kBridge, 1, 29, bytes_of(10, MPI_CHAR));
        await_message(kWorld, 3, 30, bytes_of(kRendezvousInts, MPI_INT));
    }
    block_rank_3();
    if (my_rank == 2) {
        MPI_Ibarrier(communicators[kUnnamed], new_request(0));
    }
    complete_everything();
    return finish();
}
