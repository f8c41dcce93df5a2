/* A number that counts from 1 is handed to another file, which has the root, too, and never writes
   to it. */
/* required: MPI_THREAD_FUNNELED */
/* file: main.c */
#include <mpi.h>
#include <omp.h>
extern int root;
void speak(int number);
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        speak(omp_get_thread_num() + 1);
        if (omp_get_thread_num() == root)
            MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
/* file: speak.c */
#include <mpi.h>
int root = 0;
void speak(int number) {
    if (number == 1) MPI_Barrier(MPI_COMM_WORLD);
}
