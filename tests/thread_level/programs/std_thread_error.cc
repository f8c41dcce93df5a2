/* Threads of the C++ library, one of which calls MPI.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::mutex mutex;

void receive(int tag) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int value = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread receiver(receive, 3);
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    receiver.join();
    MPI_Finalize();
}
