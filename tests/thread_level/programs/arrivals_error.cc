/* All but the last.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <atomic>
#include <thread>

namespace {

constexpr int kThreads = 2;
std::atomic<int> arrived{0};

void work(int value) {
    if (arrived.fetch_add(1) + 1 <= kThreads) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread one(work, 1);
    std::thread other(work, 2);
    one.join();
    other.join();
    MPI_Finalize();
}
