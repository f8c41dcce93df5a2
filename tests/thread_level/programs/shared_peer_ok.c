/* The peer or the tag is a member of an object of each thread, or a function returns it from that,
   or computes it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

typedef struct {
    int up, tag;
    double values[8];
} Halo;

static int up_of(const Halo* halo) { return halo->up; }
static int own_tag(void) { return omp_get_thread_num(); }

static void send_up(Halo* halo) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, halo->up, 5, MPI_COMM_WORLD);
}

static void send_by_tag(Halo* halo, int up) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, up, halo->tag, MPI_COMM_WORLD);
}

static void send_returned(Halo* halo) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, up_of(halo), 6, MPI_COMM_WORLD);
}

static void send_own_tag(Halo* halo) {
    MPI_Send(halo->values, 1, MPI_DOUBLE, halo->up, own_tag(), MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    Halo halos[64], shared = {1, 2, {0}};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 64; ++i) {
        halos[i].up = i;
        halos[i].tag = i;
    }
#pragma omp parallel
    {
        Halo* mine = &halos[omp_get_thread_num()];
        Halo own = {omp_get_thread_num(), omp_get_thread_num(), {0}};
        send_up(mine);
#pragma omp barrier
        send_by_tag(mine, 1);
#pragma omp barrier
        send_returned(mine);
#pragma omp barrier
        send_up(&own);
#pragma omp barrier
        send_returned(&own);
#pragma omp barrier
        send_own_tag(&shared);
    }
    MPI_Finalize();
}
