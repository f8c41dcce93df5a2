// All threads have the same number in the object that they start with, or ask for another one, or
// for none.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <functional>
#include <thread>
#include <vector>

static void run(int me) {
    int value = me;
    if (me == 0) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); // expect: mpi-thread-level
}

static void run_bound(int me) {
    int value = me;
    if (me == 0) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); // expect: mpi-thread-level
}

static void run_any(int me) {
    int value = me;
    if (me > 0) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); // expect: mpi-thread-level
}

class Worker {
public:
    Worker(int id, int part) : part_(part), id_(id) {}
    void operator()() const {
        int value = id_;
        if (part_ == 1) MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); // expect: mpi-thread-level
    }

private:
    int part_;
    int id_;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    const int part = argc > 1 ? 1 : 0;
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread([part] { run(part); }));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread(std::bind(run_bound, part)));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread([i] { run_any(i); }));
        for (auto& thread : threads) thread.join();
    }
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.push_back(std::thread(Worker(i, part)));
        for (auto& thread : threads) thread.join();
    }
    MPI_Finalize();
}
