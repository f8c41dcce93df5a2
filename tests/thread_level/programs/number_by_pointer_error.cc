/* Another number than that of the thread is handed to functions by virtual calls, pointers and std::function.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <omp.h>

#include <functional>

namespace {

struct Solver {
    virtual ~Solver() = default;
    virtual void finish(int thread) = 0;
    void step(int thread) { finish(thread); }
};

struct Implicit : Solver {
    void finish(int thread) override {
        if (thread == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
};

void reduce(int thread) {
    if (thread == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

void broadcast(long count, int thread) {
    if (thread == 0) MPI_Bcast(&count, 1, MPI_LONG, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    Solver* const solver = new Implicit;
    void (*const by_pointer)(int) = argc > 1 ? reduce : nullptr;
    const std::function<void(long, int)> by_object = broadcast;
#pragma omp parallel
    {
        solver->step(omp_get_thread_num() / 2);
#pragma omp barrier
        by_pointer(omp_get_thread_num() / 2);
#pragma omp barrier
        by_object(1, omp_get_thread_num() / 2);
    }
    delete solver;
    MPI_Finalize();
    return 0;
}
