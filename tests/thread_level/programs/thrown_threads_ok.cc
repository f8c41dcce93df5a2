/* What an exception does to threads: one that could not be made is not there, std::thread ends the
   process if it has not been joined, std::jthread joins.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <system_error>
#include <thread>
#include <vector>

namespace {

class Environment {
public:
    Environment() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
        if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ~Environment() { MPI_Finalize(); }
};

void work() {
    MPI_Barrier(MPI_COMM_SELF);
}

void compute();

int in_turn() {
    std::thread working(work);
    std::thread computing(compute);
    compute();
    working.join();
    computing.join();
    return 0;
}

int caught() {
    std::thread working;
    try {
        working = std::thread(work);
    } catch (const std::system_error&) {
        work();
        return 1;
    }
    working.join();
    return 0;
}

}  // namespace

int main() {
    const Environment environment;
    {
        std::thread working(work), computing(compute);
        working.join();
        computing.join();
    }
    {
        std::jthread working(work), computing(compute);
    }
    {
        std::vector<std::thread> computing;
        computing.emplace_back([] { work(); });
        computing.emplace_back([] { compute(); });
        for (auto& each : computing) each.join();
    }
    try {
        in_turn();
    } catch (...) {
        work();
    }
    return caught();
}

namespace {

void compute() {}

}  // namespace
