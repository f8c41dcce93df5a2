// An object with a thread that polls, which its flag tells to stop.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <atomic>
#include <thread>

namespace {

class Poller {
public:
    Poller() : thread_([this] { run(); }) {}
    void stop() { is_stopped_.store(true, std::memory_order_release); }
    void join() { thread_.join(); }

private:
    void run() {
        while (!is_stopped_.load(std::memory_order_acquire)) {
            int flag;
            MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
        }
    }

    std::atomic<bool> is_stopped_{false};
    std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Poller poller;
    poller.stop();
    MPI_Barrier(MPI_COMM_WORLD);
    poller.join();
    MPI_Finalize();
}
