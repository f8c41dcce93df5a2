/// Procedures of MPI that a function returns.
#pragma once

#include <mpi.h>

typedef int (*Mprobe)(int, int, MPI_Comm, MPI_Message*, MPI_Status*);
typedef int (*Recv)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
typedef int (*Ssend)(const void*, int, MPI_Datatype, int, int, MPI_Comm);

__attribute__((noinline)) static Mprobe the_mprobe(void) {
    return MPI_Mprobe;
}
__attribute__((noinline)) static Recv the_recv(void) {
    return MPI_Recv;
}
__attribute__((noinline)) static Ssend the_ssend(void) {
    return MPI_Ssend;
}
