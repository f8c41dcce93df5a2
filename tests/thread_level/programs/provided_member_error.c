/* The provided level is kept in members of structures, which are compared to be sure of less.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

struct context {
    int rank;
    int provided;
};

static struct context make(int* argc, char*** argv) {
    struct context made;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &made.provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &made.rank);
    return made;
}

static void send(const struct context* context) {
    if (context->provided >= MPI_THREAD_SERIALIZED) {
#pragma omp parallel
        MPI_Send(&context->rank, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    if (context->rank >= MPI_THREAD_MULTIPLE) {
#pragma omp parallel
        MPI_Send(&context->rank, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
}

int main(int argc, char** argv) {
    const struct context context = make(&argc, &argv);
    if (context.provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    send(&context);
    MPI_Finalize();
}
