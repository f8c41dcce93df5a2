/* Partitions of a message that is sent and received twice. With the argument "error" they are touched
 * while they are the library's. */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { kPartitions = 4, kElements = 2 };

static double numbers[kPartitions * kElements];

static void send(MPI_Request request, int wrong) {
    for (int i = 0; i < kPartitions; ++i) {
        if (!wrong) numbers[i * kElements] = i;
        MPI_Pready(i, request);
        if (wrong) numbers[i * kElements] = i; /* @stores */
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    numbers[0] = 1;
}

static double receive(MPI_Request request, int wrong) {
    double sum = 0;
    int arrived = 0;
    if (wrong) sum += numbers[0]; /* @loads */
    while (!arrived)
        MPI_Parrived(request, 0, &arrived);
    sum += numbers[0];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return sum + numbers[kElements];
}

int main(int argc, char** argv) {
    const int wrong = argc > 1 && strcmp(argv[1], "error") == 0;
    int rank;
    double sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(numbers, kPartitions, kElements, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(numbers, kPartitions, kElements, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    for (int pass = 0; pass < 2; ++pass) {
        MPI_Start(&request);
        if (rank == 0) send(request, wrong);
        else sum += receive(request, wrong);
    }
    MPI_Request_free(&request);
    if (sum < 0) puts("never");
    MPI_Finalize();
    return 0;
}
