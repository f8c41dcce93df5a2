// Guards that functions return, and that hold nothing: one that is empty on all ways, and one that
// does not lock.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>
#include <thread>

static std::mutex lock;
using Guard = std::unique_lock<std::mutex>;

static Guard empty(bool defers) {
    return defers ? Guard(lock, std::defer_lock) : Guard();
}

void left(int* value) {
    auto held = empty(*value > 0);
    MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
}
void right(int* value) {
    const Guard held(lock);
    MPI_Recv(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    int sent = 1;
    int received = 0;
    std::thread thread([&] { right(&received); });
    left(&sent);
    thread.join();
    MPI_Finalize();
}
