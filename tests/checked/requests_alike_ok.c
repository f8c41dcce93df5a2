/* The library gives all requests that are complete at once the same handle. They are made by a
 * function, and copied to where they are completed.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

enum { kRequests = 6 };

static MPI_Request meet(void) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_SELF, &request);
    return request;
}

static MPI_Request send_nowhere(int* number) {
    MPI_Request request;
    MPI_Isend(number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    return request;
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Request requests[2 * kRequests];
    int* numbers = calloc(kRequests, sizeof *numbers);

    for (int i = 0; i < kRequests; ++i) {
        requests[i] = meet();
        requests[kRequests + i] = send_nowhere(&numbers[i]);
    }
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Waitall(2 * kRequests, requests, MPI_STATUSES_IGNORE);
    free(numbers);
    return finish();
}
