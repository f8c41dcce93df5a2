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
    mqs_op_collective
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
    long long count;       /* of datatype, -1 if unknown */
    long long sequence;    /* collective operations: its number, see collectives_started; else -1 */
    char datatype_name[64]; /* empty if unknown */
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

/* A number that grows whenever the process completes communication; equal
 * numbers at two stops mean that nothing completed in between. */
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
