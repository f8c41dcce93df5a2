/* The level is a member of a variable that is written, or what a function returns, one or the other: it is not known. */
/* required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

struct options {
    struct {
        int level;
    } mpi;
    int rounds;
};

static struct options options = {.mpi = {.level = MPI_THREAD_FUNNELED}, .rounds = 4};

static int level_for(int threads) {
    switch (threads) {
        case 0:
        case 1:
            return MPI_THREAD_FUNNELED;
        default:
            return MPI_THREAD_SERIALIZED;
    }
}

static void begin(int *argc, char ***argv) {
    int provided = 0;
    if (*argc > 1) options.mpi.level = MPI_THREAD_SERIALIZED;
    MPI_Init_thread(argc, argv, options.mpi.level, &provided);
    if (provided < options.mpi.level) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void begin_for(int threads) {
    const int wanted = level_for(threads);
    int provided = 0;
    MPI_Init_thread(0, 0, wanted, &provided);
    if (provided < wanted) MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
    int sum = 0;
    if (argc > 2) {
        begin(&argc, &argv);
    } else {
        begin_for(argc);
    }
#pragma omp parallel
#pragma omp single
    MPI_Allreduce(&argc, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
