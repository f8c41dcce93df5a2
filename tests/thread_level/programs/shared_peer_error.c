/* The peer and the tag are members of an object that all threads are handed, or what functions
   return from it: they are the same for all.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

typedef struct {
    int up, down, tag;
    double values[8];
} Halo;

static int up_of(const Halo* halo) { return halo->up; }

static void send_up(Halo* halo) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, halo->up, 5, MPI_COMM_WORLD); /* expect: mpi-message-order */
}

static void send_by_tag(Halo* halo) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, halo->down, halo->tag, MPI_COMM_WORLD); /* expect: mpi-message-order */
}

static void send_returned(Halo* halo) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, up_of(halo), 6, MPI_COMM_WORLD); /* expect: mpi-message-order */
}

int main(int argc, char** argv) {
    int provided;
    Halo halo = {1, 2, 3, {0}};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        send_up(&halo);
#pragma omp barrier
        send_by_tag(&halo);
#pragma omp barrier
        send_returned(&halo);
    }
    MPI_Finalize();
}
