/* The number of the thread and another one, which is 0, are 0 together.
   required: MPI_THREAD_FUNNELED */
#include <omp.h>

#include <mpi.h>

struct thread {
    int core, hyper;
};

static void begin(struct thread* thread) {
    thread->core = omp_get_thread_num();
    thread->hyper = 0;
}

static void share(const struct thread* thread) {
    if (thread->core + thread->hyper == 0) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
    if (thread->hyper + omp_get_thread_num() == 0) MPI_Barrier(MPI_COMM_WORLD);
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
    MPI_Finalize();
}
