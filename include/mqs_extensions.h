/* Optional functions beyond mpi_interface.h.
 *
 * A host finds them with dlsym and works without them; a debugger that does not
 * know them loses nothing. libmqs_mpich.so exports all of them.
 *
 * Every struct starts with struct_size, which the host sets to sizeof of the
 * struct it was compiled with; the DLL fills no more than that, so either side
 * may be the older one. Members that the DLL cannot know hold the value that
 * their comment names. Result codes are those of mpi_interface.h.
 */
#ifndef MQS_EXTENSIONS_H
#define MQS_EXTENSIONS_H

#include "include/mpi_interface.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The level of the interface ---------------------------------------- */

/* The host speaks this level, 2 or 3. Called before mqs_version_compatibility,
 * which then answers with the highest level that both speak; without it, with 2:
 * a host of level 2 refuses a DLL of level 3, and nothing in the calls before
 * mqs_version_compatibility tells the two apart. Returns the DLL's own level. */
extern int mqs_host_compatibility(int level);

#if FOR_MPI2
/* The ranks of this process's MPI_COMM_WORLD, also those that the host is not
 * attached to, have the identities `first`, `first` + 1, and so on. What
 * mqs_set_process_identity says of a single process counts more. */
extern int mqs_set_world_identities(mqs_process*, int first);
#endif

/* ---- Queues ------------------------------------------------------------ */

/* A further class for mqs_setup_operation_iterator: nonblocking collective
 * operations of the current communicator, oldest first. Ranks, tag and lengths
 * of the mqs_pending_operation are unused (-1); status and extra_text are set. */
enum { mqs_pending_collectives = 3 };

enum mqs_comm_kind { mqs_comm_intra, mqs_comm_inter };

typedef struct {
    unsigned int struct_size;
    unsigned int handle; /* the MPI_Comm in this process, 0 if unknown */
    int kind;            /* enum mqs_comm_kind */
    int internal;        /* non-zero if the MPI library made it for its own use */
    int named;           /* zero if mqs_communicator.name was made up by the DLL */
    int remote_size;     /* intercommunicator: size of the remote group, else 0 */
    mqs_taddr_t address; /* of the communicator object in the target, 0 if unknown */
    long long context_id;
    long long recv_context_id;
    /* Nonblocking collectives that this process has started on the communicator,
     * counted from its creation; -1 if unknown. Members start them in one order,
     * so operation number N has begun here if this is greater than N. */
    long long collectives_started;
} mqs_comm_details;

/* About the current communicator. */
extern int mqs_get_comm_details(mqs_process*, mqs_comm_details*);
/* Ranks in MPI_COMM_WORLD of an intercommunicator's remote group, in rank
 * order; room for remote_size. mqs_no_information for an intracommunicator. */
extern int mqs_get_comm_remote_group(mqs_process*, int*);

enum mqs_operation_kind {
    mqs_op_unknown,
    mqs_op_receive,
    mqs_op_send, /* standard mode */
    mqs_op_synchronous_send,
    mqs_op_ready_send,
    mqs_op_buffered_send,
    mqs_op_collective,
    mqs_op_sendrecv /* MPI_Isendrecv, MPI_Isendrecv_replace: in the class of collectives */
};

enum mqs_protocol {
    mqs_protocol_unknown,
    mqs_protocol_eager,
    mqs_protocol_rendezvous,
    mqs_protocol_self /* a message of a process to itself */
};

typedef struct {
    unsigned int struct_size;
    unsigned int request;        /* the MPI_Request the user holds, 0 if none or unknown */
    mqs_taddr_t request_address; /* of the request object in the target, 0 if unknown */
    /* Persistent operations have two objects: request_address is the one the
     * user's handle names, active_address the one that carries the transfer. */
    mqs_taddr_t active_address;
    int kind;              /* enum mqs_operation_kind */
    int protocol;          /* enum mqs_protocol */
    int persistent;        /* non-zero for MPI_*_init operations */
    int collective;        /* non-zero for internal traffic of a collective operation */
    int synchronous;       /* unexpected messages: non-zero if the sender waits for a match */
    unsigned int datatype; /* the MPI_Datatype, 0 if unknown */
    long long count;       /* of datatype, of collective operations bytes, -1 if unknown */
    long long sequence;    /* collective operations: its number, see collectives_started; else -1 */
    char datatype_name[64]; /* empty if unknown */
    /* The user's MPI_Request of the mqs_op_sendrecv that this send or receive is a part of; 0:
     * of none. */
    unsigned int part_of;
    char function[48]; /* the MPI procedure that has started it; empty if unknown */
} mqs_operation_details;

/* About the operation that mqs_next_operation returned last. */
extern int mqs_get_operation_details(mqs_process*, mqs_operation_details*);

/* The rank of the process in MPI_COMM_WORLD, -1 if unknown. Works as soon as the process is
 * set up; a host whose mqs_get_global_rank_fp has no answer asks here. */
extern int mqs_get_global_rank(mqs_process*);

/* Kinds of collective operation, as the debuggers that ask for them number them. */
enum mqs_comm_class {
    mqs_comm_barrier,
    mqs_comm_broadcast,
    mqs_comm_allgather,
    mqs_comm_allgatherv,
    mqs_comm_allreduce,
    mqs_comm_alltoall,
    mqs_comm_alltoallv,
    mqs_comm_reduce_scatter,
    mqs_comm_reduce,
    mqs_comm_gather,
    mqs_comm_gatherv,
    mqs_comm_scan,
    mqs_comm_scatter,
    mqs_comm_scatterv
};

/* About the current communicator and a class: how many operations were started there, -1 if
 * unknown, and whether one is under way (non-zero). mqs_no_information if nothing is known.
 *
 * MPICH keeps no counts. What is under way is known by its messages while there are any: of
 * blocking operations, and of the part that is running, which may be another one than the
 * user called. So libmqs_mpich.so answers mqs_ok, -1 and 1, or mqs_no_information. */
extern int mqs_get_comm_coll_state(mqs_process*, int, int*, int*);

/* Whom the collective operation that mqs_next_operation returned last still waits
 * for in this process's part of it: parts that have begun and are not complete. */
enum mqs_peer_direction { mqs_peers_receive, mqs_peers_send };

/* Ranks in the communicator at hand (an intercommunicator's remote group), ascending
 * and distinct. Fills at most `room` of them and sets the count to how many there are,
 * which may be more. The int in front of the array is an mqs_peer_direction.
 * mqs_no_information where the MPI library does not tell. */
extern int mqs_get_operation_peers(mqs_process*, int, int*, int, int*);

/* Messages of the user between this process and one peer on the current communicator, as a
 * recorder in the process has counted them (include/pending_operations.h): sends that were
 * started, receives that the program has seen complete, the sums of their tags, and the sums of
 * hash_of_tag of their tags, all of them modulo 2^64. What was sent there and not received here
 * is under way, or has arrived and met a receive that is still listed as pending. */
typedef struct {
    unsigned int struct_size;
    int peer; /* rank in the communicator, of an intercommunicator in the remote group */
    unsigned long long sent;
    unsigned long long sent_tags;
    unsigned long long sent_hashes;
    unsigned long long received;
    unsigned long long received_tags;
    unsigned long long received_hashes;
} mqs_message_counts;

/* Set-up returns mqs_ok; mqs_no_information if nobody has counted, so that all that is listed is
 * as the MPI library has it; or an error if not all messages were counted. Peers that there
 * never were messages with are left out; mqs_end_of_list ends the iteration. */
extern int mqs_setup_message_counts(mqs_process*);
extern int mqs_next_message_counts(mqs_process*, mqs_message_counts*);

/* ---- Windows: one-sided communication ---------------------------------- */

enum mqs_window_flavor {
    mqs_window_unknown,
    mqs_window_create,
    mqs_window_allocate,
    mqs_window_allocate_shared,
    mqs_window_create_dynamic
};

enum mqs_epoch {
    mqs_epoch_none,
    mqs_epoch_fence,
    mqs_epoch_start, /* access: MPI_Win_start */
    mqs_epoch_post,  /* exposure: MPI_Win_post */
    mqs_epoch_lock,
    mqs_epoch_lock_all,
    mqs_epoch_unknown
};

enum mqs_lock_type { mqs_lock_none, mqs_lock_shared, mqs_lock_exclusive };

typedef struct {
    unsigned int struct_size;
    unsigned int handle; /* the MPI_Win in this process, 0 if unknown */
    mqs_taddr_t address; /* of the window object in the target */
    /* mqs_communicator.unique_id of the communicator that the MPI library made for the
     * window, and of no other: its members are the window's group. All parts of a
     * window have the same, as far as unique_id tells communicators apart. */
    mqs_taddr_t communicator;
    /* mqs_comm_details.address of the same. */
    mqs_taddr_t communicator_address;
    long long size;    /* bytes of this process's part, -1 if unknown */
    int flavor;        /* enum mqs_window_flavor */
    int shared_memory; /* non-zero: members on one host reach each other's memory */
    int access;        /* enum mqs_epoch */
    /* mqs_epoch_start: non-zero if all of the group have posted; mqs_epoch_lock_all:
     * non-zero if the locks of all members are granted. */
    int access_granted;
    int exposure;      /* enum mqs_epoch */
    int lock;          /* enum mqs_lock_type: on this process's part */
    int holders;       /* of that lock */
    int locks_missing; /* MPI_Win_lock_all: asked for and not granted; -1 if unknown */
    /* Calls of MPI_Win_complete, or parts of a fence, that this process's part still
     * needs before its exposure can end; -1 if unknown. */
    int completions_missing;
    int named;     /* zero if the name was made up by the DLL */
    char name[64]; /* NUL-terminated */
    /* Non-zero: MPI_Win_lock, MPI_Win_lock_all and MPI_Win_start return only when all that
     * they name have answered. Zero: they may return before. */
    int answers_awaited;
    /* Calls of MPI_Win_post that have arrived here and that no MPI_Win_start has used yet; -1
     * if unknown. */
    int posts_received;
} mqs_window;

enum mqs_window_peer_role {
    mqs_window_target,      /* this process accesses its part, or has locked it */
    mqs_window_started,     /* a member of MPI_Win_start's group */
    mqs_window_lock_waiter, /* it waits for the lock on this process's part */
    /* the target of an operation that the user has a request of (MPI_Rput and its kin), and
     * that has not finished */
    mqs_window_request,
    mqs_window_posted /* a member of MPI_Win_post's group */
};

enum mqs_lock_state {
    mqs_lock_unlocked, /* no lock is needed, or nothing is known of one */
    mqs_lock_called,   /* MPI_Win_lock was called, the request is not sent yet */
    mqs_lock_requested,
    mqs_lock_granted
};

typedef struct {
    unsigned int struct_size;
    int role;  /* enum mqs_window_peer_role */
    int rank;  /* in the window's communicator, -1 if unknown */
    int lock;  /* enum mqs_lock_type: wanted, or held */
    int state; /* enum mqs_lock_state; targets only */
    /* Targets: operations that have not finished, -1 if unknown. */
    int operations;
    unsigned int request; /* mqs_window_request: the MPI_Request, else 0 */
} mqs_window_peer;

/* The windows of the process, as the last mqs_update_communicator_list found them.
 * Set-up returns mqs_ok or mqs_no_information; next returns mqs_ok, mqs_end_of_list,
 * or an error, which says that there may be more. The iteration does not touch those
 * over communicators and operations. */
extern int mqs_setup_window_iterator(mqs_process*);
extern int mqs_next_window(mqs_process*, mqs_window*);
/* The peers of the window that mqs_next_window returned last, one after the other. */
extern int mqs_next_window_peer(mqs_process*, mqs_window_peer*);

/* A number that grows whenever the process completes communication; equal
 * numbers at two stops mean that nothing completed in between. Where only a recorder in the
 * process counts, it is that of MPI calls: the program has not gone on in between. */
extern int mqs_get_progress_count(mqs_process*, mqs_taddr_t*);

/* Packets that have arrived at the process and that it has not looked at yet, so
 * that no queue shows them. While there are any, a process that waits may be about
 * to go on. */
extern int mqs_get_incoming_count(mqs_process*, mqs_taddr_t*);

/* Non-zero: the communicator iterator also shows the MPI library's own
 * communicators. Zero, the default, hides them. Takes effect at the next
 * mqs_update_communicator_list. */
extern int mqs_show_internal(mqs_process*, int);

#ifdef __cplusplus
}
#endif

#endif
