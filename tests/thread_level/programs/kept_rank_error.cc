// As kept_rank_ok.cc, but threads write to the member, have one each, or are on one side.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

struct Group {
    explicit Group(MPI_Comm comm) : comm(comm) { MPI_Comm_rank(comm, &rank); }
    MPI_Comm comm;
    int rank = -1;
    int turn = 0;
};

void set(Group& group) {
    group.turn = omp_get_thread_num() + 1;
}

/// Threads write to it.
void by_turn(Group& group, int* values) {
    if (group.turn == 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 1, group.comm, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    } else {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 0, 1, group.comm);
    }
}

/// All are on one side.
void by_rank(Group& group, int* values) {
    if (group.rank == 0) {
#pragma omp master
        MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 2, group.comm, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 0, 2, group.comm);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    Group group(MPI_COMM_WORLD);
    int values[4] = {};
#pragma omp parallel
    {
        set(group);
        by_turn(group, values);
#pragma omp barrier
        by_rank(group, values);
    }
    MPI_Finalize();
}
