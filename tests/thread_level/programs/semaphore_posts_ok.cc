// A std::binary_semaphore that a guard of the program acquires and releases is a lock.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <semaphore>
#include <thread>

namespace {

std::binary_semaphore library(1);
int value = 0;

struct Hold {
    Hold() { library.acquire(); }
    ~Hold() { library.release(); }
};

void send(int tag) {
    const Hold hold;
    if (tag == 7) return;
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread first(send, 1), second(send, 2);
    first.join();
    second.join();
    MPI_Finalize();
}
