/* Communicators and requests in objects on the heap, which a pointer of all threads leads to.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdlib.h>

static MPI_Status statuses[4];

struct context {
    int count;
    MPI_Comm comm;
    MPI_Request requests[2];
};

static struct context* kept;

static void meet(struct context* context) { MPI_Barrier(context->comm); } /* expect: mpi-concurrent-collectives */

static void finish(void) { MPI_Waitall(2, kept->requests, statuses); } /* expect: mpi-concurrent-request */

static struct context* make(void) {
    struct context* made = calloc(1, sizeof *made);
    made->requests[0] = made->requests[1] = MPI_REQUEST_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &made->comm);
    return made;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    struct context* context = malloc(sizeof *context);
    struct context* other = make();
    MPI_Comm_dup(MPI_COMM_WORLD, &context->comm);
    context->requests[0] = context->requests[1] = MPI_REQUEST_NULL;
    kept = other;
#pragma omp parallel
    MPI_Barrier(context->comm); /* expect: mpi-concurrent-collectives */
#pragma omp parallel
    {
        struct context* own = other;
        MPI_Wait(&own->requests[1], MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Wait(&context->requests[1], MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Waitall(2, context->requests, statuses); /* expect: mpi-concurrent-request */
    }
#pragma omp parallel
    meet(context);
#pragma omp parallel
    finish();
    MPI_Finalize();
    return 0;
}
