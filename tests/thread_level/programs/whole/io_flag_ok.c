/* The flag of the thread that writes is made in one file, and asked for in another one.
   required: MPI_THREAD_FUNNELED
   requested: MPI_THREAD_FUNNELED */

/* file: hybrid.h */
struct hybrid { int thread; int is_master; };
void setup(struct hybrid* h, int rank);
void put(const struct hybrid* h);
void put_by(int is_master);

/* file: main.c */
#include <mpi.h>
#include <omp.h>

#include "hybrid.h"

void setup(struct hybrid* h, int rank) {
    h->thread = omp_get_thread_num();
    h->is_master = rank == 0 && h->thread == 0;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        struct hybrid h;
        setup(&h, rank);
        put(&h);
        put_by(h.is_master);
    }
    MPI_Finalize();
    return 0;
}

/* file: put.c */
#include <mpi.h>

#include "hybrid.h"

void put(const struct hybrid* h) {
    int value = 1;
    if (h->is_master) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

void put_by(int is_master) {
    int value = 1;
    if (is_master) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}
