/* An exception ends neither a thread that has been detached, nor one that has been moved to where it
   lives on.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <thread>
#include <utility>
#include <vector>

namespace {

std::vector<std::thread> kept;

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
    MPI_Barrier(MPI_COMM_SELF); /* expect: mpi-thread-level mpi-finalize */
}

void listen() {
    MPI_Probe(0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

void compute(int number) {
    if (number > 1) throw number;
}

void detached(int number) {
    std::thread working(work);
    working.detach();
    try {
        std::thread computing(compute, number);
        computing.join();
    } catch (...) {
        MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
}

void moved(int number) {
    std::thread listening(listen);
    kept.push_back(std::move(listening));
    try {
        std::thread computing(compute, number);
        compute(number);
        computing.join();
    } catch (...) {
        MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
    kept.front().join();
}

}  // namespace

int main(int argc, char**) {
    const Environment environment;
    moved(argc);
    detached(argc);
}
