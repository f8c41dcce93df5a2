/* Who has not the flag of the thread that writes may be any thread, and on the first process all
   report.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct io {
    int writes;
    int reports;
    int is_made;
    int is_quiet;
};

static void send_others(const struct io* io) {
    int value = 1;
    if (!io->writes) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void send_all(const struct io* io) {
    int value = 1;
    if (io->reports) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void send_unmade(const struct io* io) {
    int value = 1;
    if (!io->is_made) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void send_by(int is_quiet) {
    int value = 1;
    if (is_quiet) MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

/* What is 0 is no number of a thread. */
static void set_level(struct io* io, int level) {
    io->is_quiet = level == 0;
}

static void send_quietly(const struct io* io) {
    int value = 1;
    if (io->is_quiet) MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void make(struct io* io, int rank, int thread) {
    io->is_made = rank > 0 && thread == 0;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        struct io io;
        io.writes = rank == 0 && omp_get_thread_num() == 0;
        io.reports = rank == 0 || omp_get_thread_num() == 0;
        make(&io, rank, omp_get_thread_num());
        send_others(&io);
#pragma omp barrier
        send_all(&io);
#pragma omp barrier
        send_unmade(&io);
#pragma omp barrier
        send_by(!io.writes);
#pragma omp barrier
        set_level(&io, argc);
        send_quietly(&io);
    }
    MPI_Finalize();
    return 0;
}
