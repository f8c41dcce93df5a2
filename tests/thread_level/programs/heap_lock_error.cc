// Locks in objects on the heap, of which the program makes several, or others get one.
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
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-conditional-lock
    }

private:
    std::mutex mutex_;
};

class Port {
public:
    void send(int tag) {
        mutex_.lock();
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-conditional-lock
        mutex_.unlock();
    }

private:
    std::mutex mutex_;
};

struct Shared {
    std::mutex mutex;
    int sent = 0;
};

struct OfEach {
    std::mutex mutex;
    int sent = 0;
};

Port* port = new Port;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::vector<std::unique_ptr<Library>> libraries;
    for (int i = 0; i < 4; ++i) libraries.push_back(std::make_unique<Library>());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&libraries, i] { libraries[i]->send(i); });
    for (auto& thread : threads) thread.join();
#pragma omp parallel
    {
        Port* mine = port;
#pragma omp single nowait
        mine = new Port;
        mine->send(5);
    }
    Shared* shared[2] = {new Shared, new Shared};
#pragma omp parallel for
    for (int i = 0; i < 2; ++i) {
        std::scoped_lock hold(shared[i]->mutex);
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);  // expect: mpi-conditional-lock
        ++shared[i]->sent;
    }
#pragma omp parallel
    {
        auto* mine = new OfEach;
        std::scoped_lock hold(mine->mutex);
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);  // expect: mpi-conditional-lock
        ++mine->sent;
    }
    MPI_Finalize();
}
