/* A lock is released between the probe and the receive: another thread may get the message.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static omp_lock_t library;
static double values[4];

static void in_two_sections(void) {
    MPI_Status status;
#pragma omp critical(mpi)
    MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status); /* expect: mpi-message-order */
#pragma omp critical(mpi)
    MPI_Recv(values, 4, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status);
}

static int look(MPI_Status* status) {
    int found = 0;
    omp_set_lock(&library);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, status); /* expect: mpi-message-order */
    omp_unset_lock(&library);
    return found;
}

static void take(MPI_Status* status) {
    omp_set_lock(&library);
    MPI_Recv(values, 4, MPI_DOUBLE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, status);
    omp_unset_lock(&library);
}

static void poll(void) {
    MPI_Status status;
    if (look(&status)) take(&status);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&library);
#pragma omp parallel
    in_two_sections();
#pragma omp parallel
    poll();
    MPI_Finalize();
}
