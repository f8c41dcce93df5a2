/* Functions get other functions, and call them or start threads with them: each call means the one that it hands over. In teams
   that is one without MPI; what threads are started with is joined before the next one is.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

typedef double (*Function)(double);

static double data[100];

static double square(double x) { return x * x; }

static double sum(double x) {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double integrate(Function f, double from, double to) { return (f(from) + f(to)) * (to - from) / 2; }

static double refine(int depth, Function f, double from, double to) {
    if (depth == 0) return integrate(f, from, to);
    const double middle = (from + to) / 2;
    return refine(depth - 1, f, from, middle) + refine(depth - 1, f, middle, to);
}

static void* broadcast(void* unused) {
    MPI_Bcast(data, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return unused;
}

static void* compute(void* unused) {
    for (int i = 0; i < 100; i++)
        data[i] *= 2;
    return unused;
}

static void start(pthread_t* thread, void* (*work)(void*)) { pthread_create(thread, NULL, work, NULL); }

int main(int argc, char** argv) {
    int provided;
    double total = 0;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);

    total += refine(3, sum, 0, 1);
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < 100; i++)
        total += refine(3, square, i, i + 1);
    total += integrate(sum, 0, 1);

    start(&threads[0], broadcast);
    start(&threads[1], compute);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    start(&threads[0], compute);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(threads[0], NULL);
    MPI_Finalize();
    return total > 100;
}
