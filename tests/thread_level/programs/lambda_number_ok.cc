// Lambdas that threads start with get their numbers as arguments: one of the threads calls MPI.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <functional>
#include <thread>
#include <vector>

namespace {

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

struct Worker {
    double* sum;
    void operator()(int id) const {
        if (id == 1) MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    double sum = 0;
    std::vector<std::thread> threads;
    auto body = [&](int id) {
        if (id == 0) MPI_Barrier(MPI_COMM_WORLD);
        sum += id == 0 ? 1 : 0;
    };
    for (int i = 0; i < 4; ++i) threads.emplace_back(body, i);
    join(threads);
    for (int i = 0; i < 4; ++i) threads.push_back(std::thread(body, i));
    join(threads);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back(
            [](int group, int id) {
                if (id == 2 && group >= 0) MPI_Barrier(MPI_COMM_WORLD);
            },
            7,
            i);
    }
    join(threads);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back(
            [](auto id) {
                if (id == 3) MPI_Barrier(MPI_COMM_WORLD);
            },
            i);
    }
    join(threads);
    for (int i = 0; i < 4; ++i) threads.emplace_back(Worker{&sum}, i);
    join(threads);
    for (int i = 0; i < 4; ++i) threads.emplace_back(std::ref(body), i);
    join(threads);
    std::thread first(body, 0);
    std::thread second(body, 1);
    first.join();
    second.join();
    for (int i = 1; i < 4; ++i) threads.emplace_back(body, i);
    body(0);
    join(threads);
    MPI_Finalize();
}
