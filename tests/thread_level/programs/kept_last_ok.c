/* The number of the thread as an object keeps it, or as a function of the program gives it, compared
   with what all threads of the team have in common.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

struct worker {
    double load;
    int number;
};

struct team {
    double load;
    int count;
};

static int own_slot;
#pragma omp threadprivate(own_slot)

static int own_number(void) {
    return omp_get_thread_num();
}

static void close_row(const struct worker *worker) {
    if (worker->number == omp_get_num_threads() - 1) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
}

static void close_slot(void) {
    const int threads = omp_get_num_threads();
    if (own_slot != threads - 1) return;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int provided;
    struct team team;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    team.count = omp_get_max_threads();
#pragma omp parallel num_threads(team.count)
    {
        struct worker me;
        me.load = 0;
        me.number = omp_get_thread_num();
        own_slot = omp_get_thread_num();
        if (me.number + 1 == team.count) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        if (own_number() == team.count - 1) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        close_row(&me);
        close_slot();
    }
    MPI_Finalize();
    return 0;
}
