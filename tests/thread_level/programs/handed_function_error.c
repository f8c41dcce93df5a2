/* Functions that get other functions, in teams and in threads: one that has MPI in it is handed over there, too; or what is called
   may be another one than the one that was handed over.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

typedef double (*Function)(double);
typedef float (*Small)(float);

static double square(double x) { return x * x; }

static double sum(double x) {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return all;
}

static float half(float x) { return x / 2; }

static float largest(float x) {
    float all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return all;
}

static double integrate(Function f, double from, double to) { return (f(from) + f(to)) * (to - from) / 2; }

static float or_largest(Small f, float x) {
    if (x > 10) f = largest;
    return f(x);
}

static void* broadcast(void* data) {
    MPI_Bcast(data, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return NULL;
}

static void start(pthread_t* thread, void* (*work)(void*), double* data) { pthread_create(thread, NULL, work, data); }

int main(int argc, char** argv) {
    int provided;
    double total = 0;
    double more = 0;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);

#pragma omp parallel reduction(+ : total)
    {
        total += integrate(square, 0, 1);
        total += integrate(sum, 0, 1);
    }
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < 100; i++)
        total += or_largest(half, i);

    start(&threads[0], broadcast, &total);
    start(&threads[1], broadcast, &more);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    MPI_Finalize();
    return total > 100;
}
