// Communications at the same time in MPI_COMM_SELF, and what is made of MPI_COMM_WORLD.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static void open_file(MPI_Comm comm, int thread) {
    MPI_File file;
    char name[] = "file.0";
    name[5] = (char)('0' + thread);
    MPI_File_open(comm, name,  // expect: mpi-concurrent-collectives
                  MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
}

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(4)
    {
        open_file(MPI_COMM_WORLD, omp_get_thread_num());
#pragma omp barrier
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);  // expect: mpi-concurrent-collectives
#pragma omp barrier
        if (omp_get_thread_num() < 2) {
#pragma omp critical
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        } else {
#pragma omp critical
            MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-collective-order
        }
    }
    MPI_Finalize();
    return value;
}
