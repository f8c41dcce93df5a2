/* Threads that count from 1.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static int root = 0; /* nobody writes to it */
static int first;    /* nor to this */
static int slot;
#pragma omp threadprivate(slot)

static void speak(int number, int* value) {
    if (number == 1) MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void speak_below(int number, int* value) {
    speak(number, value);
    if (number != 1) return;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        ++me;
        if (me == 1) MPI_Barrier(MPI_COMM_WORLD);
        int back = me - 1;
        if (back == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (me < 2) MPI_Barrier(MPI_COMM_WORLD);
        speak_below(omp_get_thread_num() + 1, &value);
        slot = omp_get_thread_num() + 1;
        if (slot == 1) MPI_Barrier(MPI_COMM_WORLD);
        int thread = omp_get_thread_num();
        if (thread == root) MPI_Barrier(MPI_COMM_WORLD);
        if (thread != first) {
            value = 3;
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
