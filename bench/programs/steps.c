/* A job that never hangs: steps, each a computation and an exchange of
 * messages of the size that is named, with both neighbours and with all.
 *
 * Usage: steps STEPS BYTES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static double work(double* field, int count) {
    double sum = 0;
    for (int i = 1; i < count - 1; ++i) {
        field[i] = 0.25 * (field[i - 1] + 2 * field[i] + field[i + 1]);
        sum += field[i];
    }
    return sum;
}

int main(int argc, char** argv) {
    enum { CELLS = 20000 };
    static double field[CELLS];
    MPI_Init(&argc, &argv);
    const long steps = argc > 1 ? atol(argv[1]) : 1000;
    const int bytes = argc > 2 ? atoi(argv[2]) : 1024;
    char* out = calloc(1, (size_t)bytes);
    char* in = calloc(1, (size_t)bytes);
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[CELLS / 2] = rank + 1;
    for (long step = 0; step < steps; ++step) {
        double local = work(field, CELLS);
        double total = 0;
        MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % size, 0, in, bytes, MPI_CHAR,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (step % 10 == 0)
            MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
