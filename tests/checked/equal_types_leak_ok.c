/* Of equal datatypes each is freed, the caller's behind that of a function, and the older one first.
 *
 *   ranks: 1
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
    MPI_Type_contiguous(3, MPI_INT, &type);
    use_once();
    use_once();

    MPI_Type_vector(2, 1, 2, MPI_INT, &older);
    MPI_Type_vector(2, 1, 2, MPI_INT, &newer);
    MPI_Type_free(&older);
    MPI_Type_free(&newer);
    MPI_Type_free(&type);
    return finish();
}
