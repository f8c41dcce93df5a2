/* A one-dimensional stencil: halo exchange with persistent requests on a Cartesian communicator,
 * a global residual in each step.
 *
 *   ranks: 3
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { kCells = 64, kSteps = 20 };

int main(int argc, char** argv) {
    start(&argc, &argv);
    double cells[kCells + 2] = {0}, next[kCells + 2] = {0};
    int size = 0, period = 0, left = 0, right = 0;
    MPI_Comm line;
    MPI_Request halo[4];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 1, &line);
    MPI_Cart_shift(line, 0, 1, &left, &right);
    MPI_Recv_init(&cells[0], 1, MPI_DOUBLE, left, 0, line, &halo[0]);
    MPI_Recv_init(&cells[kCells + 1], 1, MPI_DOUBLE, right, 1, line, &halo[1]);
    MPI_Send_init(&cells[1], 1, MPI_DOUBLE, left, 1, line, &halo[2]);
    MPI_Send_init(&cells[kCells], 1, MPI_DOUBLE, right, 0, line, &halo[3]);
    if (left == MPI_PROC_NULL) cells[0] = 1;
    for (int step = 0; step < kSteps; ++step) {
        double change = 0, largest = 0;
        MPI_Startall(4, halo);
        MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
        for (int i = 1; i <= kCells; ++i) {
            next[i] = (cells[i - 1] + cells[i + 1]) / 2;
            if (next[i] - cells[i] > change) change = next[i] - cells[i];
        }
        memcpy(&cells[1], &next[1], kCells * sizeof(double));
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, line);
    }
    for (int i = 0; i < 4; ++i)
        MPI_Request_free(&halo[i]);
    MPI_Comm_free(&line);
    return finish();
}
