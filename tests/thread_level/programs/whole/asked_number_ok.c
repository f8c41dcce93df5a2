/* As the Fortran program: functions of another file write the number where their argument points to,
   or return one more.
   required: MPI_THREAD_FUNNELED */
/* file: threads.c */
#include <omp.h>
void get_both(int* thread, int* threads) {
    *thread = omp_get_thread_num();
    *threads = omp_get_num_threads();
}
int one_based(void) { return 1 + omp_get_thread_num(); }
void is_first(int* flag) { *flag = omp_get_thread_num() == 0; }
/* file: main.c */
#include <mpi.h>
void get_both(int* thread, int* threads);
int one_based(void);
void is_first(int* flag);
static void work(int number) {
    if (number == 0) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
}
static void speak(int number) {
    if (number == 1) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
}
int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int thread, threads;
        get_both(&thread, &threads);
        if (thread == 0) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
        work(thread);
    }
#pragma omp parallel
    speak(one_based());
#pragma omp parallel
    {
        int first;
        is_first(&first);
        if (first) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
    }
    MPI_Finalize();
    return 0;
}
