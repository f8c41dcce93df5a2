// Arguments that a function keeps in members of an object, and asks there. ways: all
// required: MPI_THREAD_SINGLE
#include <mpi.h>
#include <stdio.h>

struct Exchange {
    bool shared;
    int mode;
    double sum;

    void open(bool share) {
        shared = share;
        sum = 0;
        if (shared) MPI_Barrier(MPI_COMM_WORLD);
    }
};

static void choose(Exchange* exchange, int mode, double* sum) {
    exchange->mode = mode;
    *sum = exchange->sum;
    if (exchange->mode != 0) MPI_Barrier(MPI_COMM_WORLD);
}

// What it asks is in an object of its own.
static void reduce(bool all, int count) {
    Exchange own;
    own.mode = count;
    own.shared = true;
    if (!all) own.shared = false;
    printf("%d\n", count);
    if (own.shared && own.mode > 1) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    double sum = 0;
    Exchange exchange;
    exchange.open(true);
    choose(&exchange, 1, &sum);
    reduce(true, 3);
#pragma omp parallel firstprivate(exchange, sum)
    {
        exchange.open(false);
        choose(&exchange, 0, &sum);
        reduce(false, 4);
    }
    MPI_Finalize();
}
