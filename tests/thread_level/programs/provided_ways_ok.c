/* What is called at one provided level does not meet what is called at others.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static void send(int value) { MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_WORLD); }

static void send_in_turn(int value) {
#pragma omp critical(mpi)
    send(value);
}

int main(int argc, char** argv) {
    int provided;
    double values[64];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (provided == MPI_THREAD_MULTIPLE) {
            MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        } else {
#pragma omp critical(mpi)
            MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        }
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (provided < MPI_THREAD_MULTIPLE) {
            send_in_turn(me);
        } else {
            send(me);
        }
    }
#pragma omp parallel for if (provided >= MPI_THREAD_MULTIPLE)
    for (int i = 0; i < 64; ++i) {
        MPI_Recv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#pragma omp parallel if (provided == MPI_THREAD_MULTIPLE)
    send(omp_get_thread_num());
    MPI_Finalize();
}
