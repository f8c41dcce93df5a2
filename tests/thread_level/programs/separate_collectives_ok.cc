// Two threads, one after the other, each beside collective operations on another communicator.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>

static MPI_Comm communicator;

void first(int* value) {
    MPI_Bcast(value, 1, MPI_INT, 0, communicator);
    MPI_Barrier(communicator);
}
void second() {
    MPI_Barrier(communicator);
}

int main(int argc, char** argv) {
    int provided;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    std::thread one(first, &value);
    MPI_Barrier(MPI_COMM_WORLD);
    one.join();
    std::thread other(second);
    MPI_Barrier(MPI_COMM_WORLD);
    other.join();
    MPI_Comm_free(&communicator);
    MPI_Finalize();
}
