/* A collective write that one rank enters late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_File_write_all LINE(write)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    char path[64];
    MPI_File file;
    snprintf(path, sizeof path, "/tmp/mqinspect_file_%d", (int)getppid());
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(path);
    }
    if (rank == 1) {
        compute_until_released();
    }
    MPI_File_write_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);  // @write
    MPI_File_close(&file);
    return finish();
}
