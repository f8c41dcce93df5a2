/* What the tests of the recorder record: `recorded MODE [COUNT]`.
 *
 * The modes are the functions below; each rank prints "finished RANK" at its end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mpi.h>

#include "include/mqinspect_trace.h"

static int rank, size, count;

static void exchange(void) {
    int out[4] = {rank, 1, 2, 3}, in[4];
    MPI_Request requests[2];
    MPI_Irecv(in, 4, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 4, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]); /* @isend */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void many(void) {
    for (int i = 0; i < count; ++i)
        exchange();
}

/* Until it is killed, and not faster than a busy machine reads. */
static void paced(void) {
    for (;;) {
        exchange();
        usleep(1000);
    }
}

static void killed(void) {
    many();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) kill(getpid(), SIGKILL);
    MPI_Recv(&rank, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void store(int* place) {
    *place = 1; /* @fault */
}

static void crash(void) {
    int* volatile nowhere = (int*)0x10;
    if (rank == 1) store(nowhere);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void own_handler(int number) {
    static const char text[] = "own handler\n";
    (void)!write(1, text, sizeof text - 1);
    _exit(number);
}

static void exit_handler(int number) {
    exit(number);
}

/* As libfabric does it, which MPICH uses on ch4. */
static void ended_by_signal(void) {
    int value;
    signal(SIGALRM, exit_handler);
    ualarm(100000, 0);
    MPI_Recv(&value, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void handled_crash(void) {
    int* volatile nowhere = (int*)0x10;
    store(nowhere);
}

/* When rank 1 crashes, it is certain that rank 0 is in its call. */
static void crash_after_meeting(void) {
    int* volatile nowhere = (int*)0x10;
    if (rank == 0) {
        MPI_Ssend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        store(nowhere);
    }
}

static void ended(void) {
    _exit(4);
}

static void ended_quickly(void) {
    quick_exit(5);
}

static void aborted(void) {
    MPI_Abort(MPI_COMM_WORLD, 9);
}

static void wrong_destination(void) {
    MPI_Send(&rank, 1, MPI_INT, size + 2, 0, MPI_COMM_WORLD); /* @wrong */
}

static void returned_error(void) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    printf("%s\n", handler == MPI_ERRORS_ARE_FATAL ? "fatal" : "another");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Send(&rank, 1, MPI_INT, size + 2, 0, MPI_COMM_WORLD);
    printf("%s\n", code == MPI_SUCCESS ? "success" : "error");
}

static void forked(void) {
    const pid_t child = fork();
    if (child == 0) {
        int flag;
        MPI_Initialized(&flag);
        exit(0);
    }
    waitpid(child, NULL, 0);
    exchange();
}

static void* self_messages(void* argument) {
    const int tag = (int)(long)argument;
    for (int i = 0; i < count; ++i) {
        int in, out = i;
        MPI_Sendrecv(&out,
                     1,
                     MPI_INT,
                     rank,
                     tag,
                     &in,
                     1,
                     MPI_INT,
                     rank,
                     tag,
                     MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void threads(void) {
    pthread_t others[3];
    for (long i = 0; i < 3; ++i)
        pthread_create(&others[i], NULL, self_messages, (void*)(i + 1));
    self_messages((void*)0L);
    for (int i = 0; i < 3; ++i)
        pthread_join(others[i], NULL);
}

static void things(void) {
    MPI_Datatype vector, part;
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_create_struct(
        2, (int[]){1, 2}, (MPI_Aint[]){0, 16}, (MPI_Datatype[]){MPI_DOUBLE, vector}, &part);
    MPI_Type_commit(&part);
    MPI_Comm half, named;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &named);
    MPI_Comm_set_name(named, "ring");
    MPI_Group world, first;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){0}, &first);
    MPI_Win window;
    int memory[4];
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Request request;
    MPI_Send_init(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, named, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Group_free(&world);
    MPI_Group_free(&first);
    MPI_Comm_free(&half);
    MPI_Comm_free(&named);
    MPI_Type_free(&vector);
    MPI_Type_free(&part);
}

/* Two, in Open MPI, is the value of MPI_UNWEIGHTED. */
static void weights(void) {
    const int before = (rank + size - 1) % size, behind = (rank + 1) % size, two = 2;
    const int* volatile given[] = {&two, MPI_UNWEIGHTED};
    for (int i = 0; i < 2; ++i) {
        MPI_Comm ring;
        MPI_Dist_graph_create_adjacent(
            MPI_COMM_WORLD, 1, &before, given[i], 1, &behind, given[i], MPI_INFO_NULL, 0, &ring);
        MPI_Comm_free(&ring);
    }
}

static void polling(void) {
    int in, out = 1, flag = 0;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    for (int i = 0; i < 10; ++i)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

static void watched(void) {
    int table[3] = {1, 2, 3};
    MQI_TRACE_DATA("once", &count, sizeof count);
    MQI_TRACE_WATCH("table", table, sizeof table);
    MPI_Barrier(MPI_COMM_WORLD);
    table[1] = 7;
    MPI_Barrier(MPI_COMM_WORLD);
    MQI_TRACE_UNWATCH(table);
    table[1] = 8;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A pending buffer right in front of a window, and a window whose memory is gone too early. */
static void windows(void) {
    enum { kLarge = 1 << 22 };
    struct {
        int number;
        int memory[4];
    } pair = {0, {0}};
    MPI_Request request;
    MPI_Win window;
    MPI_Irecv(&pair.number, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
    MPI_Win_create(pair.memory, sizeof pair.memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    const int seen = *(volatile int*)&pair.number;
    MPI_Send(&seen, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&window);
    char* large = malloc(kLarge);
    MPI_Win_create(large, kLarge, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    free(large);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
}

static MPI_Request send_to_other(int* number) {
    MPI_Request request;
    MPI_Isend(number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    return request;
}

/* Requests that may have one and the same handle, copied to where they are completed. */
static void copied(void) {
    MPI_Request requests[3];
    int numbers[3] = {0}, received;
    for (int i = 0; i < 3; ++i) requests[i] = send_to_other(&numbers[i]);
    for (int i = 0; i < 3; ++i)
        MPI_Recv(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static const struct {
    const char* name;
    void (*run)(void);
} modes[] = {{"many", many},
             {"paced", paced},
             {"killed", killed},
             {"crash", crash},
             {"crash_after_meeting", crash_after_meeting},
             {"own_handler", handled_crash},
             {"ended", ended},
             {"ended_by_signal", ended_by_signal},
             {"ended_quickly", ended_quickly},
             {"aborted", aborted},
             {"wrong_destination", wrong_destination},
             {"returned_error", returned_error},
             {"forked", forked},
             {"threads", threads},
             {"weights", weights},
             {"polling", polling},
             {"watched", watched},
             {"windows", windows},
             {"things", things},
             {"copied", copied}};

int main(int argc, char** argv) {
    int provided;
    count = argc > 2 ? atoi(argv[2]) : 1;
    if (strcmp(argv[1], "own_handler") == 0) signal(SIGSEGV, own_handler);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i)
        if (strcmp(argv[1], modes[i].name) == 0) modes[i].run();
    MPI_Finalize();
    printf("finished %d\n", rank);
    return 0;
}
