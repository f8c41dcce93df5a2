// A static mutex is one for all calls of its function, and one of a function is one for the threads
// that this starts. required: MPI_THREAD_SERIALIZED
#include <mutex>
#include <thread>
#include <vector>

#include <mpi.h>

static void report(int rank) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void work(int rank) {
    static std::mutex mutex;
    std::lock_guard<std::mutex> guard(mutex);
    report(rank);
}

static void answer(int rank) {
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

static void run(std::mutex& mutex, int rank) {
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
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(run, std::ref(mutex), rank);
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
