// required: MPI_THREAD_SERIALIZED
// MPI's own C++ bindings, of which some functions are in a library.
#include <mpi.h>

int main(int argc, char** argv) {
    MPI::Init_thread(argc, argv, MPI_THREAD_FUNNELED);
#pragma omp parallel
    {
#pragma omp single
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
    MPI::Finalize();
}
