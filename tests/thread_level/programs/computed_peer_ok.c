/* Threads that receive from other processes, or with other tags: they compute them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int size = 1;
    int number = 0;
    int round = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel firstprivate(number)
    {
        int me = omp_get_thread_num();
        MPI_Recv(&number, 1, MPI_INT, (rank + 1) % size, 100 + me, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Recv(&number, 1, MPI_INT, (rank + 1 + me) % size, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
#pragma omp parallel sections firstprivate(number)
    {
#pragma omp section
        MPI_Recv(&number, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&number, 1, MPI_INT, (rank - 1 + size) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
#pragma omp parallel firstprivate(number) shared(round)
    {
        int mine;
#pragma omp atomic capture
        mine = round++;
        MPI_Recv(&number, 1, MPI_INT, 0, 200 + mine, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
