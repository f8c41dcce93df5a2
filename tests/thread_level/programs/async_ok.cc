/* Tasks in threads of their own, waited for before others call.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <future>
#include <thread>

namespace {

int receive(int tag) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int value = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::future<int> result = std::async(std::launch::async, receive, 3);
    value = result.get();
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    {
        const std::jthread receiver([] { receive(4); });
    }
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    std::future<int> late = std::async(std::launch::deferred, [] { return receive(5); });
    value = late.get();
    MPI_Finalize();
}
