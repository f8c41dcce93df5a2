/* A process waits for a generalized request that only it could complete; another waits for it.
 *
 *   ranks: 2
 *   stuck
 *   find: error | incomplete call | 1 | MPI_Wait LINE(wait)
 */
#include "tests/checked/checked.h"

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void* state) {
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void* state, int complete) {
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    MPI_Request request;
    if (start(&argc, &argv) == 1) {
        MPI_Grequest_start(query, release, cancel, NULL, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
