// Arguments that a function keeps in members of an object, where other things may be there by
// then. ways: all
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

struct Exchange {
    bool shared;
    char small;
    int mode;

    void reset();
    void open(bool share) {
        shared = share;
        reset();
        if (shared) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    }
};

void Exchange::reset() {
    shared = true;
}

static void choose(Exchange* exchange, int mode, int* other) {
    exchange->mode = mode;
    *other = 1;
    if (exchange->mode != 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

static void walk(Exchange* exchange, Exchange* next, int mode) {
    exchange->mode = mode;
    exchange = next;
    if (exchange->mode != 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

// There is no room for all of it.
static void narrow(Exchange* exchange, int mode) {
    exchange->small = static_cast<char>(mode);
    if (exchange->small == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    Exchange exchange = {};
    Exchange next = {};
    next.mode = 1;
#pragma omp parallel firstprivate(exchange, next)
    {
        exchange.open(false);
#pragma omp barrier
        choose(&exchange, 0, &exchange.mode);
#pragma omp barrier
        walk(&exchange, &next, 0);
#pragma omp barrier
        narrow(&exchange, 256);
    }
    MPI_Finalize();
}
