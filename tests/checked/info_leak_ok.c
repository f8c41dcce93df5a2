/* An info object is freed; so are its copy and what a communicator gives.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Info info, copy, used;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_dup(info, &copy);
    MPI_Info_free(&copy);
    MPI_Info_free(&info);
    MPI_Comm_get_info(MPI_COMM_WORLD, &used);
    MPI_Info_free(&used);
    return finish();
}
