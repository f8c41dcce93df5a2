/* Loops join all threads, whatever their limit.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

enum { count = 12 };

static void* compute(void* sum) {
    *(int*)sum += 1;
    return sum;
}

static void* report(void* sum) {
    MPI_Send(sum, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    return sum;
}

static void some(int* sums) {
    pthread_t threads[count];
    pthread_create(&threads[0], NULL, compute, &sums[0]);
    pthread_create(&threads[9], NULL, compute, &sums[1]);
    pthread_create(&threads[11], NULL, report, &sums[2]);
    for (unsigned i = 0; i < count; i++) {
        if (i % 9 == 0 || i == 11) pthread_join(threads[i], NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void two(int* sums) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, compute, &sums[0]);
    pthread_create(&threads[1], NULL, report, &sums[1]);
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void rest(int* sums) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, compute, &sums[0]);
    pthread_create(&threads[2], NULL, report, &sums[2]);
    int left = 0;
    while (left < 1) pthread_join(threads[left++], NULL);
    pthread_join(threads[left + 1], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int sums[3] = {0, 0, 0};
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    some(sums);
    two(sums);
    rest(sums);
    MPI_Finalize();
    return 0;
}
