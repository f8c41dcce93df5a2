/* The flag is set in an object that all threads have, or the branch is not that of one thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct channel {
    MPI_Comm comm;
    int is_owner;
    int is_low;
    int is_ready;
};

static void open_channel(struct channel* self, struct channel* shared) {
    self->comm = MPI_COMM_WORLD;
    if (omp_get_thread_num() == 0)
        self->is_owner = 1;
    else
        shared->is_owner = 0;
    if (omp_get_thread_num() < 2)
        self->is_low = 1;
    else
        self->is_low = 0;
    shared->is_ready = 0;
#pragma omp barrier
    if (omp_get_thread_num() == 0) shared->is_ready = 1;
#pragma omp barrier
}

static void by_owner(const struct channel* self) {
    if (self->is_owner) MPI_Barrier(self->comm); /* expect: mpi-concurrent-collectives */
}

static void by_low(const struct channel* self) {
    if (self->is_low) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void by_ready(const struct channel* shared) {
    if (shared->is_ready) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    struct channel shared = {MPI_COMM_WORLD, 1, 0, 0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct channel own;
        open_channel(&own, &shared);
        by_owner(&shared);
#pragma omp barrier
        by_low(&own);
#pragma omp barrier
        by_ready(&shared);
    }
    MPI_Finalize();
    return 0;
}
