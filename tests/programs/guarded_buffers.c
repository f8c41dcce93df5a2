/* Rank 1 reads a number and writes to a long array that are being received, and leaves them alone
 * in a second round; rank 0 writes to what it has given to a reduction; rank 1 loads from its
 * window while rank 0 may be putting there. */
#include <mpi.h>

enum { kLong = 16000 };
static int numbers[kLong];

static int receive(int touch) {
    int one = 5, sum = 0;
    MPI_Request requests[2];
    MPI_Irecv(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(numbers, kLong, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    if (touch) {
        sum += *(volatile int*)&one;               /* @reads */
        *(volatile int*)&numbers[kLong / 2] = sum; /* @writes */
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return sum + one + numbers[kLong / 2];
}

static void use_window(int rank) {
    static int memory[2];
    int value = 3;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 4, 1, MPI_INT, window);
    if (rank == 1) value = *(volatile int*)&memory[1]; /* @loads */
    MPI_Win_fence(0, window);
    if (rank == 1) value += *(volatile int*)&memory[1];
    MPI_Win_free(&window);
}

int main(int argc, char** argv) {
    int rank, value = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; ++round) {
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Send(numbers, kLong, MPI_INT, 1, 1, MPI_COMM_WORLD);
        } else {
            value = receive(round == 0);
        }
    }
    MPI_Request request;
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 0) *(volatile int*)&value = 1; /* @same */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use_window(rank);
    MPI_Finalize();
    return 0;
}
