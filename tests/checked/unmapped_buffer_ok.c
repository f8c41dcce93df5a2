/* The buffer of a long send is given back when the send is complete.
 *
 *   ranks: 2
 */
#include <sys/mman.h>

#include "tests/checked/checked.h"

enum { kMany = 512 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double received[kMany];
    MPI_Request request;
    if (rank == 0) {
        double* const sent = mmap(
            NULL, kMany * sizeof *sent, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MPI_Isend(sent, kMany, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        munmap(sent, kMany * sizeof *sent);
    } else {
        MPI_Recv(received, kMany, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
