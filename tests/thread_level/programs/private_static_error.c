/* Outside of the construct that makes copies, and in constructs that share them, static variables
   are one for all; so is the handle that copies are of.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static MPI_Request request;
static MPI_Request kept;
static MPI_Comm comm;
static int me;

static void after_the_loop(double* in) {
#pragma omp parallel
    {
#pragma omp for private(request)
        for (int i = 0; i < 16; ++i) {
            MPI_Irecv(&in[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    }
}

static void inner_team(double* in) {
#pragma omp parallel private(request)
    {
        MPI_Irecv(in, 1, MPI_DOUBLE, 0, omp_get_thread_num(), MPI_COMM_WORLD, &request);
#pragma omp parallel
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    }
}

static void copies_of_one(void) {
#pragma omp parallel firstprivate(comm)
    MPI_Barrier(comm); /* expect: mpi-concurrent-collectives */
#pragma omp parallel firstprivate(kept)
    MPI_Wait(&kept, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

static void other_region(void) {
#pragma omp parallel private(me)
    {
        me = omp_get_thread_num();
        if (me == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel
    if (me == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    double in[16];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(in, 1, MPI_DOUBLE, 0, 0, comm, &kept);
    after_the_loop(in);
    inner_team(in);
    copies_of_one();
    other_region();
    MPI_Finalize();
}
