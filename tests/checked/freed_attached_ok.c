/* The buffer of buffered sends is given back when MPI has it no more.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int bytes = 1000 + MPI_BSEND_OVERHEAD;
    void* memory = malloc((size_t)bytes);
    void* detached = NULL;
    int size = 0;
    MPI_Buffer_attach(memory, bytes);
    MPI_Buffer_detach(&detached, &size);
    free(memory);
    return finish();
}
