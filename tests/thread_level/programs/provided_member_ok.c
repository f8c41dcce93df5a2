/* The provided level is kept in members of structures, which are compared.
   required: MPI_THREAD_SINGLE */
#include <omp.h>

#include <mpi.h>

struct context {
    int rank;
    int provided;
};

struct library {
    int level;
};

static void start(struct library* library, int* argc, char*** argv) {
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    library->level = provided;
}

static struct context make(void) {
    struct context made;
    MPI_Query_thread(&made.provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &made.rank);
    return made;
}

static void send(const struct context* context) {
    if (context->provided == MPI_THREAD_MULTIPLE) {
#pragma omp parallel
        MPI_Send(&context->rank, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);
    } else {
        MPI_Send(&context->rank, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);
    }
}

int main(int argc, char** argv) {
    struct library library;
    start(&library, &argc, &argv);
    if (library.level < MPI_THREAD_FUNNELED) return 1;
    const struct context context = make();
    send(&context);
    if (library.level >= MPI_THREAD_MULTIPLE) {
#pragma omp parallel
        MPI_Send(&context.rank, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);
    }
    MPI_Finalize();
}
