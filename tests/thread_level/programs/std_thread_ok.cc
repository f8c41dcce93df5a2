/* Threads of the C++ library, one of which calls MPI.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::mutex mutex;

void receive(int tag) {
    int value = 0;
    const std::lock_guard<std::mutex> hold(mutex);
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int value = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread receiver(receive, 3);
    {
        const std::lock_guard<std::mutex> hold(mutex);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request);
        MPI_Request_free(&request);
    }
    receiver.join();
    MPI_Finalize();
}
