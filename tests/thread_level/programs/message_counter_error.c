/* Messages with one tag, of a variable that is set once.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int base_tag = 100;
static int tag_of_all;
static int value;

static void never_set(void) {
#pragma omp parallel
    MPI_Send(&value, 1, MPI_INT, 0, base_tag, MPI_COMM_SELF); /* expect: mpi-message-order */
}

static void set_once(int tag) {
    tag_of_all = tag;
#pragma omp parallel
    MPI_Send(&value, 1, MPI_INT, 0, tag_of_all, MPI_COMM_SELF); /* expect: mpi-message-order */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    never_set();
    set_once(argc);
    MPI_Finalize();
    return 0;
}
