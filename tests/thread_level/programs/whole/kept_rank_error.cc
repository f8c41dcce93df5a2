// As kept_rank_ok.cc, but threads write to the member, and the function counts.
// required: MPI_THREAD_MULTIPLE
// requested: MPI_THREAD_SERIALIZED

// file: group.h
#include <mpi.h>
#include <omp.h>

class Group {
public:
    explicit Group(MPI_Comm comm);
    int rank() const { return rank_; }
    void gather(int* values);
    void renumber(int rank);

private:
    MPI_Comm comm_;
    int rank_;
};

int my_rank();
void start();

// file: group.cc
#include "group.h"

static int rank_of_process = -1;

Group::Group(MPI_Comm comm) : comm_(comm), rank_(-1) {
    MPI_Comm_rank(comm_, &rank_);
}

void Group::renumber(int rank) {
    rank_ = rank;
}

int my_rank() {
    return ++rank_of_process;
}

void start() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_of_process);
}

// file: gather.cc
#include "group.h"

void Group::gather(int* values) {
    if (rank_ == 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm_, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    } else {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 0, 1, comm_);
    }
}

// file: main.cc
#include "group.h"

static void spread(const Group& group, int* values) {
    if (group.rank() != 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(values, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-thread-level compiler: mpi-thread-level
    } else {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
}

static void report(int* values) {
    if (my_rank() == 0) {
#pragma omp master
        MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-thread-level compiler: mpi-thread-level
    } else {
#pragma omp critical
        MPI_Send(values, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided;
    int values[4] = {};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start();
    Group group(MPI_COMM_WORLD);
#pragma omp parallel
    {
        group.renumber(omp_get_thread_num() % 2);
        group.gather(values);
#pragma omp barrier
        spread(group, values);
#pragma omp barrier
        report(values);
    }
    MPI_Finalize();
}
