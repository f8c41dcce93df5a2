/* Buffers that are declared as something else than the calls say, or are shorter.
 *
 *   ranks: 2
 *   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(long)
 *   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(double)
 *   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(rows)
 *   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(member)
 *   find: error | invalid argument | 0 1 | MPI_Bcast LINE(count)
 *   find: error | invalid argument | 0 1 | MPI_Win_create LINE(window)
 */
#include <stdlib.h>

#include "tests/checked/checked.h"

struct part {
    double place[3];
    int id;
};

static long steps;

static void share(double* field, double** rows, struct part* parts) {
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);   // @long
    MPI_Bcast(field, 8, MPI_FLOAT, 0, MPI_COMM_WORLD);  // @double
    MPI_Bcast(rows, 1, MPI_DOUBLE, 0, MPI_COMM_SELF);   // @rows
    MPI_Bcast(&parts[1].place[2],                       // @member
              2,
              MPI_DOUBLE,
              0,
              MPI_COMM_SELF);
}

int main(int argc, char** argv) {
    double field[8] = {0};
    double* rows[2] = {field, field + 4};
    struct part parts[2] = {{{0}, 0}};
    int values[5] = {0};
    int* memory = malloc(40);
    MPI_Win window;
    start(&argc, &argv);
    share(field, rows, parts);
    MPI_Bcast(values + 2, 4, MPI_INT, 0, MPI_COMM_SELF);                     // @count
    MPI_Win_create(&memory, 40, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);  // @window
    MPI_Win_free(&window);
    free(memory);
    return finish();
}
