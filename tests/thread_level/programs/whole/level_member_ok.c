/* The level is a member of a variable of another file, which a third writes. */
/* requested: unknown */
/* required: MPI_THREAD_SERIALIZED */
/* file: options.h */
struct options {
    int level, rounds;
};
extern struct options options;
void read_options(int count);
/* file: options.c */
#include <mpi.h>
#include "options.h"
struct options options = {.level = MPI_THREAD_FUNNELED, .rounds = 4};
/* file: read.c */
#include <mpi.h>
#include "options.h"
void read_options(int count) {
    struct options *all = &options;
    int *level = &all->level;
    *level += count;
}
/* file: main.c */
#include <mpi.h>
#include "options.h"
int main(int argc, char **argv) {
    int provided = 0;
    int sum = 0;
    read_options(argc);
    MPI_Init_thread(&argc, &argv, options.level, &provided);
    if (provided < options.level) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    MPI_Allreduce(&argc, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
