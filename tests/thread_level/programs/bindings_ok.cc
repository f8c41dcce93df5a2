// required: MPI_THREAD_FUNNELED
// Twin of bindings_error.cc.
#include <mpi.h>

int main(int argc, char** argv) {
    MPI::Init_thread(argc, argv, MPI_THREAD_FUNNELED);
#pragma omp parallel
    {
#pragma omp master
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI::Finalize();
}
