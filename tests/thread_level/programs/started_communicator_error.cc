// All threads that a loop starts are handed MPI_COMM_WORLD, by value.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <future>
#include <thread>
#include <vector>

namespace {

void add_up(MPI_Comm comm, double* sum) {
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM,  // expect: mpi-concurrent-collectives
                  comm);
}

void meet(double* /*sum*/, MPI_Comm comm) {
    MPI_Barrier(comm);  // expect: mpi-concurrent-collectives
}

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    double sums[3] = {};
    std::vector<std::thread> threads;
    for (double& sum : sums) threads.emplace_back(add_up, MPI_COMM_WORLD, &sum);
    join(threads);
    for (double& sum : sums) threads.push_back(std::thread(meet, &sum, MPI_COMM_WORLD));
    join(threads);
    auto body = [](MPI_Comm comm) {
        MPI_Barrier(comm);  // expect: mpi-concurrent-collectives
    };
    for (int i = 0; i < 3; ++i) threads.emplace_back(body, MPI_COMM_WORLD);
    join(threads);
    MPI_Finalize();
}
