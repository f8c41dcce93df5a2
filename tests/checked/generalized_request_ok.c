/* A generalized request that its process completes before it waits.
 *
 *   ranks: 2
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
        MPI_Grequest_complete(request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
