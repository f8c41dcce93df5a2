/* MPI writes texts into arrays that are shorter than what it may write.
 *
 *   ranks: 2
 *   find: warning | invalid argument | 0 1 | MPI_Get_processor_name LINE(processor)
 *   find: warning | invalid argument | 0 1 | MPI_Error_string LINE(error)
 *   find: warning | invalid argument | 0 1 | MPI_Comm_get_name LINE(name)
 *   find: error | invalid argument | 0 1 | MPI_Info_get LINE(info)
 *   find: warning | invalid argument | 0 1 | MPI_Info_get_nthkey LINE(key)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int length = 0, flag = 0;
    char name[32];
    char processor[64];
    char text[128];
    MPI_Get_processor_name(processor, &length);        // @processor
    MPI_Error_string(MPI_ERR_RANK, text, &length);     // @error
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);  // @name
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "color", "blue");
    char value[6];
    MPI_Info_get(info, "color", 8, value, &flag);  // @info
    char key[8];
    MPI_Info_get_nthkey(info, 0, key);  // @key
    MPI_Info_free(&info);
    return finish();
}
