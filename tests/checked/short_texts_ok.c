/* MPI writes texts into arrays that are as long as they have to be.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

struct Names {
    char name[MPI_MAX_OBJECT_NAME];
    char rest[16];
};

int main(int argc, char** argv) {
    start(&argc, &argv);
    int length = 0, flag = 0;
    struct Names names;
    char processor[MPI_MAX_PROCESSOR_NAME];
    char text[MPI_MAX_ERROR_STRING];
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_processor_name(processor, &length);
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    MPI_Get_library_version(version, &length);
    MPI_Comm_get_name(MPI_COMM_WORLD, names.name, &length);
    names.rest[0] = '\0';
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "color", "blue");
    char value[8];
    MPI_Info_get(info, "color", 8, value, &flag);
    int room = 8;
    MPI_Info_get_string(info, "color", &room, value, &flag);
    char key[MPI_MAX_INFO_KEY];
    MPI_Info_get_nthkey(info, 0, key);
    MPI_Info_free(&info);
    return finish();
}
