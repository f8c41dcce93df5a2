/* What is handed over beside the number of the thread is another one for each thread, or from one
   place to the next.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void own(int thread, int number) {
    if (thread == number)
        MPI_Send(&number, 1, MPI_INT, 0, thread, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

static void two_places(int thread, int number) {
    if (thread == number)
        MPI_Send(&number, 1, MPI_INT, 0, thread, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

static void not_it(int thread, int threads) {
    if (thread != threads - 1)
        MPI_Send(&threads, 1, MPI_INT, 0, thread, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    int count = 0;
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        int mine;
#pragma omp atomic capture
        mine = count++;
        own(thread, mine);
#pragma omp barrier
        two_places(thread, omp_get_num_threads() - 1);
        two_places(thread, argc);
#pragma omp barrier
        not_it(thread, omp_get_num_threads());
    }
    MPI_Finalize();
}
