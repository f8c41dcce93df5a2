/* Buffers that are declared otherwise than the calls say, but may hold what they say.
 *
 *   ranks: 2
 */
#include <complex.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/checked/checked.h"

struct part {
    double place[3];
    int id;
    int flags;
};
union number {
    int integer;
    double real;
};

static uint64_t steps;
static double complex spin;

static void share(void* any, double* field, double** rows, struct part* parts) {
    MPI_Bcast(&steps, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&steps, sizeof steps, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&spin, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(any, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Bcast((float*)field, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Bcast(rows[1], 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&parts[1].place[1], 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&parts->id, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    double field[8] = {0};
    double grid[3][4] = {{0}};
    double* rows[2] = {field, field + 4};
    struct part parts[2] = {{{0}, 0, 0}};
    union number number = {0};
    unsigned char raw[16] = {0};
    start(&argc, &argv);
    share(field, field, rows, parts);
    MPI_Bcast(&grid[0][1], 11, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(grid[argc % 3], 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&number, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(raw, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(raw, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(rows, 2, MPI_AINT, 0, MPI_COMM_SELF);
    return finish();
}
