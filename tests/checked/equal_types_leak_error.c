/* Of equal datatypes the one that a function makes is freed there, and the caller's is not; nor is the
 * older of two that are alive at a time.
 *
 *   ranks: 1
 *   find: warning | leaked datatype | 0 | MPI_Type_contiguous LINE(leaked)
 *   find: warning | leaked datatype | 0 | MPI_Type_vector LINE(newer)
 */
#include "tests/checked/checked.h"

static void use_once(void) {
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_free(&type);
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Datatype type, older, newer;
    MPI_Type_contiguous(3, MPI_INT, &type);  // @leaked
    use_once();
    use_once();

    MPI_Type_vector(2, 1, 2, MPI_INT, &older);
    MPI_Type_vector(2, 1, 2, MPI_INT, &newer);  // @newer
    MPI_Type_free(&older);
    return finish() + (newer == type);
}
