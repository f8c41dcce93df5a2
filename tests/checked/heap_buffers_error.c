/* Buffers in blocks of the heap that are too short, or that the program has freed: at their begin
 * and inside of them, small ones, and ones that have pages of their own.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Send LINE(small)
 *   find: warning | invalid argument | 1 | MPI_Recv LINE(posted)
 *   find: error | invalid argument | 0 | MPI_Bcast LINE(inside)
 *   find: error | invalid argument | 0 1 | MPI_Allgather LINE(gathered)
 *   find: error | invalid argument | 0 1 | MPI_Reduce LINE(large)
 *   find: error | invalid argument | 0 1 | MPI_Win_create LINE(window)
 *   find: error | use after free | 0 | MPI_Send LINE(freed)
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { SMALL = 20, LARGE = 100000 };

static void pair(int rank) {
    int* values = malloc(SMALL / 2 * sizeof(int));
    if (values == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    memset(values, 0, SMALL / 2 * sizeof(int));
    if (rank == 0) {
        MPI_Send(values, SMALL, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @small
    } else {
        int whole[SMALL];
        MPI_Recv(whole, SMALL, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        MPI_Send(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, SMALL, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @posted
    }
    free(values);
}

static void together(int rank, int size) {
    double* field = calloc(SMALL, sizeof(double));
    double* large = calloc(LARGE, sizeof(double));
    double* result = calloc(2 * LARGE, sizeof(double));
    if (field == NULL || large == NULL || result == NULL) exit(1);
    double* shared = rank == 0 ? field + SMALL - 2 : result;
    MPI_Bcast(shared, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // @inside
    const int n = SMALL + size;
    MPI_Allgather(field, n, MPI_DOUBLE, result, n, MPI_DOUBLE, MPI_COMM_WORLD);  // @gathered
    MPI_Reduce(large, result, LARGE + 1024, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_SELF);  // @large
    free(result);
    free(large);
    free(field);
}

static void window(void) {
    MPI_Win win;
    char* memory = malloc(1000);
    char* other = malloc(4000);
    MPI_Win_create(memory, 2000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);  // @window
    MPI_Win_free(&win);
    free(other);
    free(memory);
}

static void freed(int rank) {
    double* values = calloc(3000, sizeof(double));
    double* other = calloc(10, sizeof(double));
    if (values == NULL) exit(1);
    double first = values[0];
    free(values);
    if (rank == 0) {
        MPI_Send(values, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);  // @freed
    } else {
        MPI_Recv(other, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (other[9] != first) exit(1);
    }
    free(other);
}

int main(int argc, char** argv) {
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pair(rank);
    together(rank, size);
    window();
    freed(rank);
    return finish();
}
