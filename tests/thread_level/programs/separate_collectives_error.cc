// Two threads, one after the other, meet another collective operation each: these are two mistakes.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>

void first(int* value) {
    MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    MPI_Barrier(MPI_COMM_WORLD);
}
void second() {
    MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

int main(int argc, char** argv) {
    int provided;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread one(first, &value);
    MPI_Barrier(MPI_COMM_WORLD);
    one.join();
    std::thread other(second);
    MPI_Barrier(MPI_COMM_WORLD);
    other.join();
    MPI_Finalize();
}
