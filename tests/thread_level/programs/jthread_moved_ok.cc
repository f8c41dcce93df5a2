/* A std::jthread that is moved into a container, or to another variable, is joined there.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>
#include <utility>
#include <vector>

namespace {

void send(int tag) { MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        std::vector<std::jthread> threads;
        threads.push_back(std::jthread(send, 1));
    }
    {
        std::jthread first(send, 2);
        std::jthread second = std::move(first);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
