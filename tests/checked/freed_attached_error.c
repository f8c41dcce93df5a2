/* The buffer of buffered sends is given back while MPI has it. What the program gets there later is
 * its own.
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
    memory = malloc((size_t)bytes);
    *(volatile char*)memory = 1;
    free(memory);
    MPI_Buffer_detach(&detached, &size);
    return finish();
}
