/* Tasks in threads of their own, beside others that call.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <future>
#include <thread>

namespace {

int receive(int tag) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int value = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::future<int> result = std::async(receive, 3);
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    value = result.get();
    MPI_Finalize();
}
