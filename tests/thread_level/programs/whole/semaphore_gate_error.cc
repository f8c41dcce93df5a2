// A semaphore that lets two in, a member of a static object, behind functions of a file without threads.
// required: MPI_THREAD_MULTIPLE
// file: gate.cc
#include <semaphore.h>
namespace {
struct {
    int users;
    sem_t slots;
} gate;
}  // namespace
void gate_open() {
    sem_init(&gate.slots, 0, 2);
}
void gate_in() {
    sem_wait(&gate.slots);
}
void gate_out() {
    sem_post(&gate.slots);
}
// file: main.cc
#include <mpi.h>
void gate_open();
void gate_in();
void gate_out();
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    gate_open();
#pragma omp parallel
    {
        int value = 1;
        gate_in();
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level compiler: mpi-thread-level
        gate_out();
    }
    MPI_Finalize();
}
