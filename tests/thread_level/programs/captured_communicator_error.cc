// A thread, or a task of std::async, and main use one communicator at a time, to which a lambda
// refers, or of which it has a copy.
// required: MPI_THREAD_MULTIPLE
#include <future>
#include <thread>

#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm shared;
    MPI_Comm copied;
    MPI_Comm freed;
    MPI_Comm_dup(MPI_COMM_WORLD, &shared);
    MPI_Comm_dup(MPI_COMM_WORLD, &copied);
    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    std::thread thread([&] { MPI_Barrier(shared); });  // expect: mpi-concurrent-collectives
    MPI_Barrier(shared);
    thread.join();
    auto done = std::async(std::launch::async, [copied] {
        MPI_Barrier(copied);  // expect: mpi-concurrent-collectives
    });
    MPI_Barrier(copied);
    done.get();
    std::thread sender([&freed] {
        int number = 0;
        MPI_Send(&number, 1, MPI_INT, 0, 0, freed);  // expect: mpi-concurrent-request
    });
    MPI_Comm_free(&freed);
    sender.join();
    MPI_Comm_free(&shared);
    MPI_Comm_free(&copied);
    MPI_Finalize();
}
