/* Threads that start with generic lambdas, and call MPI beside the main thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <memory>
#include <thread>

namespace {

void send(int to) {
    MPI_Send(nullptr, 0, MPI_INT, to, to, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread first([](auto to) { send(to); }, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    first.join();
    const auto second = std::make_unique<std::thread>([](const auto& to) { send(to); }, 2);
    MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-thread-level
    second->join();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
