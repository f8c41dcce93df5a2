// A lock in an object on the heap is one lock where the program makes one such object.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

int value;

class Library {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    }

private:
    std::mutex mutex_;
};

class Port {
public:
    void send(int tag) {
        mutex_.lock();
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
        mutex_.unlock();
    }

private:
    std::mutex mutex_;
};

struct Shared {
    std::mutex mutex;
    int sent = 0;
};

Port* const port = new Port;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    const auto library = std::make_unique<Library>();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&library, i] { library->send(i); });
    for (auto& thread : threads) thread.join();
#pragma omp parallel
    port->send(5);
    Shared* shared = new Shared;
#pragma omp parallel
    {
        std::scoped_lock hold(shared->mutex);
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
        ++shared->sent;
    }
    delete shared;
    MPI_Finalize();
}
