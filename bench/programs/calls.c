/* Messages of 32 bytes to itself, sent by MPI_Isend and by MPI_Send, and barriers on one process:
 * what is left is the cost of the calls. The best of five parts, in processor time.
 * Usage: calls EXCHANGES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

__attribute__((noinline)) static void exchange(char* out, char* in) {
    MPI_Request requests[2];
    MPI_Irecv(in, 32, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 32, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

__attribute__((noinline)) static void blocking_exchange(char* out, char* in) {
    MPI_Request request;
    MPI_Irecv(in, 32, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Send(out, 32, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 100000;
    char out[32] = {0}, in[32];
    double messages = 1e18, blocking = 1e18, barriers = 1e18;

    MPI_Init(&argc, &argv);
    for (int part = 0; part < 5; ++part) {
        double begin = processor_ns();
        for (int i = 0; i < count; ++i) {
            out[i % 32] = (char)i;
            exchange(out, in);
        }
        const double of_messages = processor_ns() - begin;
        begin = processor_ns();
        for (int i = 0; i < count; ++i) {
            out[i % 32] = (char)i;
            blocking_exchange(out, in);
        }
        const double of_blocking = processor_ns() - begin;
        begin = processor_ns();
        for (int i = 0; i < count; ++i) MPI_Barrier(MPI_COMM_SELF);
        const double of_barriers = processor_ns() - begin;
        if (of_messages < messages) messages = of_messages;
        if (of_blocking < blocking) blocking = of_blocking;
        if (of_barriers < barriers) barriers = of_barriers;
    }
    printf("%.1f ns per message call, %.1f ns with MPI_Send, %.1f ns per barrier\n",
           messages / count / 3, blocking / count / 3, barriers / count);
    MPI_Finalize();
    return 0;
}
