// A mutex that is a variable of a function is another one in each call of that, and one that is a
// member is another one in each object. required: MPI_THREAD_MULTIPLE
#include <mutex>
#include <thread>
#include <vector>

#include <mpi.h>

static void report(int rank) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

static void work(int rank) {
    std::mutex mutex;
    std::lock_guard<std::mutex> guard(mutex);
    report(rank);
}

static void answer(int rank) {
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

static void run(int rank) {
    std::mutex mutex;
    mutex.lock();
    answer(rank);
    mutex.unlock();
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    work(rank);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(run, rank);
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
