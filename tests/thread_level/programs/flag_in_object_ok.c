/* A flag or number in an object of each thread, asked where it is, or handed on.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

struct worker {
    int id;
    bool is_first;
    int from, to;
};

static void setup(struct worker* w, int n) {
    w->id = omp_get_thread_num();
    w->is_first = w->id == 0;
    w->from = n * w->id;
    w->to = w->from + n;
}

static void by_flag(const struct worker* w) {
    if (w->is_first) MPI_Barrier(MPI_COMM_WORLD);
}

static void by_number(int id) {
    if (id == 0) MPI_Barrier(MPI_COMM_WORLD);
}

static void by_value(bool is_first) {
    if (!is_first) return;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct worker w;
        setup(&w, 10);
        by_flag(&w);
        by_number(w.id);
        by_value(w.is_first);
        by_value(w.id == 0);
        if (w.is_first && argc > 1) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
