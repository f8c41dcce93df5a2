// A flag in the only object of its class, which is on the heap.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <atomic>
#include <memory>
#include <thread>

namespace {

int value;

struct Shared {
    std::atomic<int> is_ready{0};
    std::atomic<int> is_done{0};
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    auto shared = std::make_unique<Shared>();
    std::thread thread([&shared] {
        while (shared->is_ready.load() != 1) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        shared->is_done.store(1);
    });
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    shared->is_ready.store(1);
    while (shared->is_done.load() != 1) {
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
    MPI_Finalize();
}
