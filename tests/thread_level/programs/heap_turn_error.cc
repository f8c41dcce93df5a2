// Flags in objects on the heap, of which there are two.
// required: MPI_THREAD_MULTIPLE
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
    auto other = std::make_unique<Shared>();
    other->is_ready.store(1);
    std::thread thread([&shared, &other] {
        while (other->is_ready.load() != 1) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
        shared->is_done.store(1);
    });
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    shared->is_ready.store(1);
    thread.join();
    MPI_Finalize();
}
