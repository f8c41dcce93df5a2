// Threads that a container makes in place: what is told of is where the program does so, not what
// the container does inside.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>
#include <vector>

static void work(int number) {
    MPI_Send(&number, 1, MPI_INT, 0, number, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

int main(int argc, char** argv) {
    constexpr int count = 4;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++) {
        // A thread each.
        threads.emplace_back(work, i);
    }
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
