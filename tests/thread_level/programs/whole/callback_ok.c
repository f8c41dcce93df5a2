/* The address of a function goes from one file to another, which calls it in a region. The function locks. */
/* required: MPI_THREAD_SERIALIZED */
/* file: for_all.c */
void for_all(int n, void (*work)(int, void *), void *data) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        work(i, data);
}
/* file: publish.c */
#include <mpi.h>
void publish(int i, void *data) {
    double *values = data;
#pragma omp critical(publishing)
    MPI_Send(&values[i], 1, MPI_DOUBLE, MPI_PROC_NULL, i, MPI_COMM_WORLD);
}
/* file: main.c */
#include <mpi.h>
void for_all(int n, void (*work)(int, void *), void *data);
void publish(int i, void *data);
static double values[30];
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for_all(30, publish, values);
    MPI_Finalize();
    return 0;
}
