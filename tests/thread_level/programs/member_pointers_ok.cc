/* A pointer to a member is for functions of its class, and of classes above and below.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>

#include <thread>

namespace {

struct Manager {
    virtual ~Manager() = default;
    virtual void finish() = 0;
};

struct Threads {
    int count = 0;
    void work() { ++count; }
    void other() { --count; }
};

struct Ranks final : Manager {
    int rank = 0;
    void finish() override { MPI_Comm_rank(MPI_COMM_WORLD, &rank); }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    Threads threads;
    Ranks ranks;
    Manager* manager = &ranks;
    std::thread thread(&Threads::work, &threads);
    manager->finish();
    thread.join();
    void (Threads::*chosen)() = argc > 1 ? &Threads::work : &Threads::other;
#pragma omp parallel
    (threads.*chosen)();
    MPI_Finalize();
}
