/* Threads that the program numbers as it starts them, by arguments and in lambdas: one calls MPI.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

void work(int id, double* sum) {
    if (id == 0) MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    double sum = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work, i, &sum);
    join(threads);
    for (int i = 0; i < 4; ++i) threads.push_back(std::thread(work, i, &sum));
    join(threads);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([i] {
            if (i == 2) MPI_Barrier(MPI_COMM_WORLD);
        });
    }
    join(threads);
    MPI_Finalize();
}
