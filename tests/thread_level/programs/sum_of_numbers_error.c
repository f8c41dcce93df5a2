/* What is added to the number of the thread may be below 0.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

struct thread {
    int core, other;
};

static void begin(struct thread* thread) {
    thread->core = omp_get_thread_num();
    thread->other = -(omp_get_thread_num() % 2);
}

static void share(const struct thread* thread) {
    if (thread->core + thread->other == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        struct thread thread;
        begin(&thread);
        share(&thread);
    }
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        const int other = -(me % 2);
        if (me + other == 0)
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
