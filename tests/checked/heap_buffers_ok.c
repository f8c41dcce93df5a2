/* Buffers in blocks of the heap that are as long as the calls say, and not freed yet.
 *
 *   ranks: 2
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { SMALL = 20, LARGE = 100000 };

static void pair(int rank) {
    int* values = malloc(SMALL / 2 * sizeof(int));
    if (values == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    memset(values, 0, SMALL / 2 * sizeof(int));
    if (rank == 0) {
        MPI_Send(values, SMALL / 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int whole[SMALL];
        MPI_Recv(whole, SMALL, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        MPI_Send(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, SMALL / 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(values);
}

static void together(int rank) {
    double* field = calloc(SMALL, sizeof(double));
    double* large = calloc(LARGE, sizeof(double));
    double* result = calloc(2 * LARGE, sizeof(double));
    if (field == NULL || large == NULL || result == NULL) exit(1);
    double* shared = rank == 0 ? field + SMALL - 4 : result;
    MPI_Bcast(shared, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgather(field, SMALL, MPI_DOUBLE, result, SMALL, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Reduce(large, result, LARGE, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_SELF);
    free(result);
    free(large);
    free(field);
}

static void window(void) {
    MPI_Win win;
    char* memory = malloc(1000);
    char* other = malloc(4000);
    MPI_Win_create(memory, 1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    free(other);
    free(memory);
}

static void freed(int rank) {
    double* values = calloc(3000, sizeof(double));
    double* other = calloc(10, sizeof(double));
    if (values == NULL) exit(1);
    double first = values[0];
    if (rank == 0) {
        MPI_Send(values, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(other, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (other[9] != first) exit(1);
    }
    free(other);
    free(values);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pair(rank);
    together(rank);
    window();
    freed(rank);
    return finish();
}
