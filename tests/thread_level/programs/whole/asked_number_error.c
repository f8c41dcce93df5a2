/* Half the number is written where the argument points to; one more is returned, and taken for the
   number; and another argument is what is compared.
   required: MPI_THREAD_MULTIPLE */
/* file: threads.c */
#include <omp.h>
void get_both(int* half, int* thread) {
    *half = omp_get_thread_num() / 2;
    *thread = omp_get_thread_num();
}
int one_based(void) { return 1 + omp_get_thread_num(); }
/* file: main.c */
#include <mpi.h>
void get_both(int* half, int* thread);
int one_based(void);
static void speak(int number) {
    if (number != 0) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */ /* expect: mpi-concurrent-collectives */
}
int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int half, thread;
        get_both(&half, &thread);
        if (half == 0) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */ /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    speak(one_based());
    MPI_Finalize();
    return 0;
}
