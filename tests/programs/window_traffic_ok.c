/* Fences, post and start, locks and operations on two windows, without a pause: at no
 * moment a deadlock.
 *
 * expect: finishes
 * ranks: 3
 */
#include "tests/programs/scenario.h"

static void fences(MPI_Win win, int rank, int size) {
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void post_and_start(MPI_Win win, MPI_Group world, int rank, int size) {
    MPI_Group next, previous;
    int next_rank = (rank + 1) % size;
    int previous_rank = (rank + size - 1) % size;
    MPI_Group_incl(world, 1, &next_rank, &next);
    MPI_Group_incl(world, 1, &previous_rank, &previous);
    MPI_Win_post(previous, 0, win);
    MPI_Win_start(next, 0, win);
    MPI_Put(&rank, 1, MPI_INT, next_rank, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&next);
    MPI_Group_free(&previous);
}

static void locks(MPI_Win win, int rank, int size, int round) {
    int one = 1;
    int target = (rank + round) % size;
    MPI_Win_lock(round % 3 == 0 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(target, win);
    MPI_Win_unlock(target, win);
    MPI_Win_lock_all(0, win);
    MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
}

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int size = world_size();
    int cell = 0;
    int* shared = NULL;
    MPI_Group world;
    MPI_Win windows[2];
    double end;
    int go_on = 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &windows[0]);
    MPI_Win_allocate(
        sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &windows[1]);
    end = MPI_Wtime() + 4;
    for (int round = 0; go_on; ++round) {
        MPI_Win win = windows[round % 2];
        fences(win, rank, size);
        post_and_start(win, world, rank, size);
        MPI_Barrier(MPI_COMM_WORLD);
        locks(win, rank, size, round);
        int mine = MPI_Wtime() < end;
        MPI_Allreduce(&mine, &go_on, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    MPI_Group_free(&world);
    MPI_Win_free(&windows[0]);
    MPI_Win_free(&windows[1]);
    return finish();
}
