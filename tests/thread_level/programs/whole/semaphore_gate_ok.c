/* A semaphore that lets one in, behind functions of a file without threads. */
/* required: MPI_THREAD_SERIALIZED */
/* file: gate.c */
#include <semaphore.h>
static sem_t slots;
void gate_open(void) {
    sem_init(&slots, 0, 1);
}
void gate_in(void) {
    while (sem_wait(&slots) != 0)
        ;
}
void gate_out(void) {
    sem_post(&slots);
}
/* file: main.c */
#include <mpi.h>
void gate_open(void);
void gate_in(void);
void gate_out(void);
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    gate_open();
#pragma omp parallel for
    for (int i = 0; i < 12; i++) {
        gate_in();
        MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD); /* compiler: mpi-thread-level */
        gate_out();
    }
    MPI_Finalize();
    return 0;
}
