/* A member of an object, used directly by one thread and by a function that gets the object in
   another.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct channel {
    MPI_Comm comm;
    MPI_Request request;
    int value;
};

static struct channel global;

static void finish(struct channel* c) {
    MPI_Wait(&c->request, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
}

static void sum(struct channel* c) {
    MPI_Allreduce(MPI_IN_PLACE, &c->value, 1, MPI_INT, MPI_SUM, c->comm);  // expect: mpi-concurrent-collectives
}

int main(int argc, char** argv) {
    int provided, flag;
    struct channel local;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &local.comm);
    MPI_Irecv(&local.value, 1, MPI_INT, MPI_ANY_SOURCE, 1, local.comm, &local.request);
    MPI_Irecv(&global.value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &global.request);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            MPI_Test(&local.request, &flag, MPI_STATUS_IGNORE);
        else
            finish(&local);
#pragma omp barrier
#pragma omp master
        MPI_Test(&global.request, &flag, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
#pragma omp single nowait
        finish(&global);
#pragma omp barrier
#pragma omp sections
        {
#pragma omp section
            MPI_Barrier(local.comm);
#pragma omp section
            sum(&local);
        }
    }
    MPI_Finalize();
    return 0;
}
