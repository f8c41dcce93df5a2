/* Where the variable has no thread, the one that was there before may go on by itself.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <thread>

namespace {

std::thread helper;

void receive() {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-finalize mpi-thread-level */
}

void poll() {
    if (!helper.joinable()) helper = std::thread(receive);
}

void forget() {
    if (helper.joinable()) helper.detach();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < argc; ++step) {
        poll();
        forget();
    }
    MPI_Finalize();
}
