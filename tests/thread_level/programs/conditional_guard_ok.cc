// A function returns a guard that holds the lock, or an empty one: a lock under a condition,
// whichever of the two comes first.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static bool several = true;
using Guard = std::unique_lock<std::mutex>;

static Guard full_first() {
    return several ? Guard(lock) : Guard();
}
static Guard empty_first() {
    if (!several) return {};
    return Guard(lock);
}

void left(int* value) {
    auto held = full_first();
    MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}
void right(int* value) {
    auto held = empty_first();
    MPI_Recv(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-conditional-lock
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    several = argc > 1;
    int sent = 1;
    int received = 0;
    std::thread thread([&] { right(&received); });
    left(&sent);
    thread.join();
    MPI_Finalize();
}
