/* A loop joins two of three threads: the last one runs on.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static void* compute(void* sum) {
    *(int*)sum += 1;
    return sum;
}

static void* report(void* sum) {
    MPI_Send(sum, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level mpi-finalize */
    return sum;
}

int main(int argc, char** argv) {
    pthread_t threads[3];
    int sums[3] = {0, 0, 0};
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&threads[0], NULL, compute, &sums[0]);
    pthread_create(&threads[1], NULL, compute, &sums[1]);
    pthread_create(&threads[2], NULL, report, &sums[2]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
