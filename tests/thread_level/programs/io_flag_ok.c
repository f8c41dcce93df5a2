/* A flag of the thread that writes for all processes, in a variable, a member, and handed on: it says
   no more than that the number of the thread is 0.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

struct io {
    int thread;
    int writes;
    int reports;
};

static void send(const struct io* io) {
    int value = 1;
    if (io->writes) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (io->reports) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

static void send_by(int writes) {
    int value = 1;
    if (writes) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

static void make(struct io* io, int rank, int thread) {
    io->reports = rank > 0 && thread == 0;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        int value = 1;
        int is_root = rank == 0 && omp_get_thread_num() == 0;
        struct io io = {omp_get_thread_num(), is_root, 0};
        struct io other = {omp_get_thread_num(), 0, 0};
        other.writes = rank == 0 && other.thread == 0;
        make(&io, rank, omp_get_thread_num());
        make(&other, rank, other.thread);
        if (is_root) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        send(&io);
        send(&other);
        send_by(is_root);
        send_by(io.writes);
    }
    MPI_Finalize();
    return 0;
}
