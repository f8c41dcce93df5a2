/* Each thread has an object, in which the branches of a condition on its number set a flag.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

struct channel {
    MPI_Comm comm;
    int thread;
    int is_owner;
};

static void open_channel(struct channel* self) {
    self->comm = MPI_COMM_WORLD;
    self->thread = omp_get_thread_num();
    if (self->thread == 0) {
        self->comm = MPI_COMM_WORLD;
        self->is_owner = 1;
    } else
        self->is_owner = 0;
}

static void use_channel(const struct channel* self) {
#pragma omp barrier
    if (self->is_owner) MPI_Barrier(self->comm);
    if (self->is_owner != 1) return;
    MPI_Barrier(self->comm);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct channel own;
        open_channel(&own);
        use_channel(&own);
    }
    MPI_Finalize();
    return 0;
}
