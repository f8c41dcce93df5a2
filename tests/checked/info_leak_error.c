/* Rank 0 makes an info object and never frees it.
 * 
 *   ranks: 2
 *   find: warning | leaked info | 0 | MPI_Info_create LINE(info)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Info info;
    if (rank == 0) {
        MPI_Info_create(&info);  // @info
        MPI_Info_set(info, "key", "value");
    }
    return finish();
}
