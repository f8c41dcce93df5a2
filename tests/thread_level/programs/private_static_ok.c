/* Constructs make copies of static variables: each thread has its own request, communicator,
   number.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static MPI_Request request;
static MPI_Request pair[2];
static MPI_Comm comm;
static int me;
static int last;
static int turn;

static void exchange(double* out, double* in) {
#pragma omp parallel for private(pair)
    for (int i = 0; i < 16; ++i) {
        MPI_Irecv(&in[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &pair[0]);
        MPI_Isend(&out[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &pair[1]);
        MPI_Status statuses[2];
        MPI_Waitall(2, pair, statuses);
    }
}

static void receive_in_tasks(double* in) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 16; ++i) {
#pragma omp task firstprivate(request)
        {
            MPI_Irecv(&in[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

static void by_number(MPI_Comm* all) {
#pragma omp parallel private(me, comm)
    {
        me = omp_get_thread_num();
        comm = all[me];
        MPI_Barrier(comm);
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        if (me == 0) MPI_Bcast(&turn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static void last_one(void) {
    int got[16];
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < 16; ++i) {
        last = i;
        MPI_Recv(&got[i], 1, MPI_INT, 0, last, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    int provided;
    double out[16] = {0}, in[16];
    MPI_Comm all[64];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 64; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    exchange(out, in);
    receive_in_tasks(in);
    by_number(all);
    last_one();
    MPI_Finalize();
}
