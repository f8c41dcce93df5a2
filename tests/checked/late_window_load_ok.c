/* A window is read behind the fence that completes many one-sided operations.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { PARTS = 20, LENGTH = 5 };

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    double own[PARTS * LENGTH];
    double* base;
    MPI_Win win;
    double sum = 0;
    MPI_Win_allocate(sizeof own, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < PARTS * LENGTH; ++i) {
        own[i] = rank;
        base[i] = 0;
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < PARTS * LENGTH; i += LENGTH)
        MPI_Put(&own[i], LENGTH, MPI_DOUBLE, 1 - rank, i, LENGTH, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < PARTS * LENGTH; ++i)
        sum += base[i];
    printf("%g\n", sum);
    MPI_Win_free(&win);
    return finish();
}
