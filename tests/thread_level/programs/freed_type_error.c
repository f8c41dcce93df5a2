/* A datatype is freed beside a send that uses it, or twice. required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static MPI_Datatype shared_type;

static void beside_send(int peer) {
    int data[4] = {0};
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        MPI_Send(data, 1, type, peer, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-request */
#pragma omp single
        MPI_Type_free(&type);
    }
}

static void by_all(void) {
    MPI_Type_contiguous(4, MPI_INT, &shared_type);
#pragma omp parallel
    MPI_Type_free(&shared_type); /* expect: mpi-concurrent-request */
}

static void communicator_beside_send(MPI_Comm comm, int peer) {
    int data[4] = {0};
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Send(data, 1, type, peer, 0, comm);
#pragma omp section
        MPI_Comm_free(&comm); /* expect: mpi-concurrent-request */
    }
    MPI_Type_free(&type);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Comm comm;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    beside_send(argc);
    by_all();
    communicator_beside_send(comm, argc);
    MPI_Finalize();
    return 0;
}
