/* The other file asks for the second thread, and writes to the root. */
/* required: MPI_THREAD_MULTIPLE */
/* file: main.c */
#include <mpi.h>
#include <omp.h>
extern int root;
void speak(int number);
void choose(int number);
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    speak(omp_get_thread_num() + 1);
#pragma omp parallel
    {
        choose(omp_get_thread_num());
        if (omp_get_thread_num() == root)
            MPI_Send(&provided, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* compiler: mpi-thread-level */ /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
/* file: speak.c */
#include <mpi.h>
int root = 0;
void choose(int number) { root = number; }
void speak(int number) {
    if (number == 2) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
}
