/* As object_and_part_error.c, but each thread has another object.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct channel {
    MPI_Comm comm;
    MPI_Request request;
    int value;
};

static struct channel global, global_of_master;

static void finish(struct channel* c) {
    MPI_Wait(&c->request, MPI_STATUS_IGNORE);
}

static void sum(struct channel* c) {
    MPI_Allreduce(MPI_IN_PLACE, &c->value, 1, MPI_INT, MPI_SUM, c->comm);
}

int main(int argc, char** argv) {
    int provided, flag;
    struct channel local, other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &local.comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other.comm);
    MPI_Irecv(&other.value, 1, MPI_INT, MPI_ANY_SOURCE, 2, local.comm, &other.request);
    MPI_Irecv(&global_of_master.value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD,
              &global_of_master.request);
    MPI_Irecv(&local.value, 1, MPI_INT, MPI_ANY_SOURCE, 1, local.comm, &local.request);
    MPI_Irecv(&global.value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &global.request);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            MPI_Test(&other.request, &flag, MPI_STATUS_IGNORE);
        else
            finish(&local);
#pragma omp barrier
#pragma omp master
        MPI_Test(&global_of_master.request, &flag, MPI_STATUS_IGNORE);
#pragma omp single nowait
        finish(&global);
#pragma omp barrier
#pragma omp sections
        {
#pragma omp section
            MPI_Barrier(other.comm);
#pragma omp section
            sum(&local);
        }
    }
    MPI_Finalize();
    return 0;
}
