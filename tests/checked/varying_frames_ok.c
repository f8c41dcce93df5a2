/* Calls out of functions whose frames have another size each time: the same callers, which lie at
 * other places of the stack.
 *
 *   ranks: 2
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { kTimes = 40 };

__attribute__((noinline)) static void exchange(int rank, int* numbers, int last) {
    if (rank == 0) {
        MPI_Send(numbers, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(numbers, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    numbers[0] += last;
}

__attribute__((noinline)) static int with_room(int rank, int bytes, int last) {
    int room[bytes / (int)sizeof(int) + 2];
    memset(room, 0, sizeof room);
    exchange(rank, room, last);
    return room[0];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int sum = 0;
    for (int i = 0; i < kTimes; ++i)
        sum += with_room(rank, 64 * (i % 5), i == kTimes - 1);
    return finish() + (sum < 0);
}
