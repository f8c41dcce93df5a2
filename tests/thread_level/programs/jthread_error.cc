/* A thread that ends with its scope, beside another that calls.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <thread>

int main(int argc, char** argv) {
    int provided = 0;
    int value = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        const std::jthread receiver([] {
            int received = 0;
            MPI_Recv(&received, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
        });
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    }
    MPI_Finalize();
}
