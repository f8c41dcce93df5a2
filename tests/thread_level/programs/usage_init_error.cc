// A thread that has been started before calls MPI, too, where the program is about to end.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <atomic>
#include <thread>

static std::atomic<bool> begins{false};

static void send() {
    while (!begins)
        ;
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); // expect: mpi-thread-level
}

int main(int argc, char** argv) {
    std::thread sender(send);  // expect: mpi-strict-single
    int value = 0;
    if (argc < 2) {
        MPI_Init(&argc, &argv);
        begins = true;
        sender.join();
        MPI_Finalize();
        return 1;
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    begins = true;
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sender.join();
    MPI_Finalize();
}
