/// What everything_pending.c has, and how it writes down what it knows.
#pragma once

#include <mpi.h>

enum {
    kWorld,
    kSelf,
    kCopy,
    kUnnamed,
    kParity,
    kReversed,
    kGrid,
    kBridge,
    kPair,
    kGraph,
    kInner,
    kCommunicators
};

struct Operation {
    const char* queue;
    int communicator;
    int peer; /* rank in the communicator's remote group, or MPI_ANY_SOURCE */
    int tag;
    int bytes;
    int count;             /* -1: unknown */
    MPI_Datatype datatype; /* MPI_DATATYPE_NULL: unknown */
    const char* function;  /* NULL: unknown */
    const char* mode;      /* NULL: no send */
    const char* state;     /* NULL: unknown */
    int persistent;
    int optional;
    MPI_Request request; /* MPI_REQUEST_NULL: none, or not what the library shows */
};

/// Of this rank; those it is no member of are MPI_COMM_NULL.
extern MPI_Comm communicators[kCommunicators];
extern MPI_Datatype column;   /* 8 doubles, every eighth */
extern MPI_Datatype particle; /* 3 doubles and a char, padded */
extern MPI_Datatype field;    /* 40000 doubles, every second */

void create_communicators(int rank);
void create_datatypes(void);

/// Between these two, lines are written to a file of another name.
void open_records(const char* folder, int rank);
void publish_records(void);

int bytes_of(int count, MPI_Datatype datatype);
void record_communicators(void);
void record(struct Operation operation);
