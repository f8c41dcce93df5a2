// The static member of each thread stays as it begins in the threads that are started, or they get
// the number 0; or one that is no thread's number.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace {

struct Unset {
    static thread_local std::size_t number;
    static void work() {
        if (number == 0) MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
};

struct FromZero {
    static thread_local std::size_t number;
    static void work() {
        if (number == 0) MPI_Send(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
    static void start(std::size_t own) {
        number = own;
        work();
    }
};

struct Changed {
    static thread_local std::size_t number;
    static void work() {
        if (number == 0) MPI_Send(nullptr, 0, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
    static void start(std::size_t own) {
        number = own;
        number = own / 4;
        work();
    }
};

struct Shared {
    static std::size_t number;
    static void work() {
        if (number == 0) MPI_Send(nullptr, 0, MPI_INT, 0, 4, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
    static void start(std::size_t own) {
        number = own;
        work();
    }
};

thread_local std::size_t Unset::number = 0;
thread_local std::size_t FromZero::number = 0;
thread_local std::size_t Changed::number = 0;
std::size_t Shared::number = 0;

template <class Start, class Work>
void run(std::size_t first, Start start, Work work) {
    std::vector<std::thread> threads;
    for (std::size_t i = first; i < 4; ++i) threads.emplace_back(start, i);
    work();
    for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<std::thread> threads;
    for (int i = 1; i < 4; ++i) threads.emplace_back(Unset::work);
    Unset::work();
    for (std::thread& thread : threads) thread.join();
    run(0, FromZero::start, FromZero::work);
    run(1, Changed::start, Changed::work);
    run(1, Shared::start, Shared::work);
    MPI_Finalize();
}
