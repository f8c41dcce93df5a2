/* Probe and receive under one lock; a matched probe; threads that only look; one thread that
   receives.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static omp_lock_t library;
static double values[4];

static void in_one_section(void) {
    MPI_Status status;
#pragma omp critical(mpi)
    {
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        MPI_Recv(values, 4, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status);
    }
}

static void poll(void) {
    MPI_Status status;
    int found = 0;
    omp_set_lock(&library);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    if (found)
        MPI_Recv(values, 4, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    omp_unset_lock(&library);
}

static void matched(void) {
    MPI_Message message;
#pragma omp critical(mpi)
    MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
#pragma omp critical(mpi)
    MPI_Mrecv(values, 4, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
}

static void only_look(int* found) {
#pragma omp critical(mpi)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE);
}

static void by_one(void) {
    MPI_Status status;
#pragma omp master
    {
#pragma omp critical(mpi)
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
#pragma omp critical(mpi)
        MPI_Recv(values, 4, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&library);
#pragma omp parallel
    in_one_section();
#pragma omp parallel
    poll();
#pragma omp parallel
    matched();
#pragma omp parallel
    {
        int found;
        only_look(&found);
    }
#pragma omp parallel
    by_one();
    MPI_Finalize();
}
