/* The function that another file calls is the one that it is handed, by a team, too. */
/* required: MPI_THREAD_MULTIPLE */
/* file: apply.c */
typedef double (*Function)(double);
static double at_each(Function f, const double* x, int count) {
    double total = 0;
    for (int i = 0; i < count; i++)
        total += f(x[i]);
    return total;
}
double apply(Function f, const double* x, int count) { return count == 0 ? 0 : at_each(f, x, count); }
/* file: others.c */
#include <mpi.h>
typedef double (*Function)(double);
double apply(Function f, const double *x, int count);
static double local(double x) {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return all;
}
double others(const double* x, int count) { return apply(local, x, count); }
/* file: main.c */
#include <mpi.h>
typedef double (*Function)(double);
double apply(Function f, const double *x, int count);
double others(const double* x, int count);
static double local(double x) {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
int main(int argc, char** argv) {
    int provided;
    double x[10] = {1};
    double total = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    total = apply(local, x, 10);
#pragma omp parallel reduction(+ : total)
    total += others(x, 10);
    MPI_Finalize();
    return total > 100;
}
