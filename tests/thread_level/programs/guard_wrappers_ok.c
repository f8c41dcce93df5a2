/* Guards by functions that say whether the thread is the first one, by way of others.
   required: MPI_THREAD_FUNNELED */
#include <omp.h>

#include <mpi.h>

static int number(void) {
    return omp_get_thread_num();
}
static int same_number(void) {
    return number();
}
static int is_first(void) {
    return same_number() == 0;
}
static int is_not_first(void) {
    return omp_get_thread_num() != 0;
}

static void exchange(int tag) {
    if (!is_first()) return;
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        exchange(1);
        if (is_first()) MPI_Barrier(MPI_COMM_SELF);
        if (is_not_first() == 0) MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
}
