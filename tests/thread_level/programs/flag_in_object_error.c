/* What is in the object says nothing of one thread: something else is written to it, too, or it is
   another member, or the other threads are asked for.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

struct worker {
    int id;
    bool is_first;
    bool is_busy;
    int part;
};

static void setup(struct worker* w, int n) {
    w->id = omp_get_thread_num();
    w->is_first = w->id == 0;
    if (n > 7) w->is_first = true;
    w->is_busy = w->id != 0;
    w->part = w->id / 2;
}

static void by_flag(const struct worker* w) {
    if (w->is_first) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void by_other_flag(bool is_busy) {
    if (is_busy) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void by_part(int part) {
    if (part == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void others(int id) {
    if (id != 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct worker w;
        setup(&w, argc);
        by_flag(&w);
#pragma omp barrier
        by_other_flag(w.is_busy);
#pragma omp barrier
        by_part(w.part);
#pragma omp barrier
        others(w.id);
    }
    MPI_Finalize();
    return 0;
}
