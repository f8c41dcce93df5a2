/* Who wants to know whether there is a file opens it: MPI returns an error then, and nobody is to
 * blame. So it is with deleting what may be there.
 *
 *   ranks: 2
 *   find: note | MPI error | 0 1 | MPI_File_open LINE(open)
 *   find: note | MPI error | 0 | MPI_File_delete LINE(delete)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const char name[] = "file_missing_ok.data";
    const int rank = start(&argc, &argv);
    int code = 0;
    MPI_File file;
    code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);  // @open
    if (code == MPI_SUCCESS) MPI_File_close(&file);
    if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);  // @delete
    return finish();
}
