/* Rank 1 cancels a receive for which no message comes, and asks whether that has been in time; a
 * generalized request is freed before it is complete, which has no buffer.
 *
 *   ranks: 2
 *   find: note | request cancel | 1 | MPI_Cancel LINE(cancel)
 */
#include "tests/checked/checked.h"

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
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
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Request work;
    MPI_Request same;
    MPI_Grequest_start(query, release, cancel, NULL, &work);
    same = work;
    MPI_Request_free(&work);
    MPI_Grequest_complete(same);
    if (rank == 1) {
        MPI_Request request;
        MPI_Status status;
        int cancelled = 0;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);  // @cancel
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (!cancelled) return 1;
    }
    return finish();
}
