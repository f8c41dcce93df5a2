// Lambdas that threads start with compare what is the same for several threads, not their numbers.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back(
            [](int group, int id) {
                if (group == 0 && id >= 0)
                    MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
            },
            0,
            i);
    }
    join(threads);
    auto body = [](int id) {
        if (id == 1) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    };
    std::thread first(body, 1);
    std::thread second(body, 1);
    first.join();
    second.join();
    auto other = [](int id) {
        if (id != 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    };
    for (int i = 0; i < 4; ++i) threads.emplace_back(other, i);
    join(threads);
    auto twice = [](int id) {
        if (id == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    };
    for (int i = 0; i < 4; ++i) threads.emplace_back(twice, i);
    twice(0);
    join(threads);
    MPI_Finalize();
}
