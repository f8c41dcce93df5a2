// A lock in the only object of its class is one lock, however that is got at.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <mutex>
#include <thread>
#include <vector>

namespace {

class Locked {
protected:
    std::mutex mutex_;
};

class Communicator : public Locked {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Communicator self;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&self, i] { self.send(i); });
    for (auto& thread : threads) thread.join();
    MPI_Finalize();
}
