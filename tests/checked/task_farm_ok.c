/* A master gives tasks to whoever asks, and looks at the status for who it is.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

enum { kTasks = 40, kResult = 1, kTask = 2, kEnd = 3 };

static void give(int worker, int* next) {
    const int tag = *next < kTasks ? kTask : kEnd;
    MPI_Send(next, 1, MPI_INT, worker, tag, MPI_COMM_WORLD);
    ++*next;
}

static void work(void) {
    int task = 0;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == kEnd) return;
        task *= task;
        MPI_Send(&task, 1, MPI_INT, 0, kResult, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int size = 0, next = 0, result = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0) {
        work();
        return finish();
    }
    for (int worker = 1; worker < size; ++worker)
        give(worker, &next);
    for (int done = 0; done < kTasks; ++done) {
        MPI_Status status;
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, kResult, MPI_COMM_WORLD, &status);
        give(status.MPI_SOURCE, &next);
    }
    return finish();
}
