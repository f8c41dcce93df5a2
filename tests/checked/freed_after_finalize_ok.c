/* The datatype is freed by a function that MPI_Finalize calls, for the attributes of MPI_COMM_SELF.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static MPI_Datatype row;

static int clean_up(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm;
    (void)key;
    (void)value;
    (void)state;
    return MPI_Type_free(&row);
}

int main(int argc, char** argv) {
    int key;
    start(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clean_up, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Type_contiguous(4, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    return finish();
}
