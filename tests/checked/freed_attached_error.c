/* The buffer of buffered sends is given back while MPI has it.
 *
 *   ranks: 1
 *   find: error | use after free | 0 | LINE(free)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int bytes = 1000 + MPI_BSEND_OVERHEAD;
    void* memory = malloc((size_t)bytes);
    void* detached = NULL;
    int size = 0;
    MPI_Buffer_attach(memory, bytes);
    free(memory);  // @free
    MPI_Buffer_detach(&detached, &size);
    return finish();
}
