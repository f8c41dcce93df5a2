// What is made of MPI_COMM_SELF needs no order, and one thread at a time may communicate in it.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static void open_file(MPI_Comm comm, int thread) {
    MPI_File file;
    char name[] = "file.0";
    name[5] = (char)('0' + thread);
    MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
}

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(4)
    {
        MPI_Comm own;
        MPI_Comm_dup(MPI_COMM_SELF, &own);
        open_file(MPI_COMM_SELF, omp_get_thread_num());
        MPI_Comm_free(&own);
#pragma omp barrier
        if (omp_get_thread_num() < 2) {
#pragma omp critical
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
        } else {
#pragma omp critical
            MPI_Barrier(MPI_COMM_SELF);
        }
    }
    MPI_Finalize();
    return value;
}
