/* An operator that is never freed.
 *
 *   ranks: 2
 *   find: warning | leaked operator | 0 1 | MPI_Op_create LINE(make)
 */
#include "tests/checked/checked.h"

static inline void nothing(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)in, (void)inout, (void)count, (void)type;
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Op thing;
    MPI_Op_create(nothing, 1, &thing);  // @make
    return finish();
}
