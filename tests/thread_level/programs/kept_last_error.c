/* What an object keeps, or a function gives, is not the number of the thread, or what it is compared
   with is another one for each thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct worker {
    double load;
    int number;
    int partner;
    int row;
};

static int own_number(void) {
    return omp_get_thread_num();
}

static int own_pair(void) {
    return omp_get_thread_num() / 2;
}

static void close_row(const struct worker *worker) {
    if (worker->row == omp_get_num_threads() - 1)
        MPI_Send(&worker->load, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    const int count = omp_get_max_threads();
#pragma omp parallel
    {
        struct worker me;
        me.load = 0;
        me.number = omp_get_thread_num();
        me.partner = argc > 1 ? omp_get_thread_num() : count - 1;
        me.row = me.number / 2;
        if (me.number == me.partner)
            MPI_Send(&me.load, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
        close_row(&me);
    }
#pragma omp parallel
    if (own_pair() == count - 1)
        MPI_Send(&provided, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp parallel
    if (own_number() != count - 1)
        MPI_Send(&provided, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    MPI_Finalize();
    return 0;
}
