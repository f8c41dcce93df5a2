/* Rank 1 asks again and again whether its exposure epoch is over, while rank 0 takes its time.
 *
 *   ranks: 2
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory = 0, value = 7, done = 0;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Group world, other;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){1 - rank}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        usleep(200000);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, 0, window);
        while (!done)
            MPI_Win_test(window, &done);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
    return finish();
}
