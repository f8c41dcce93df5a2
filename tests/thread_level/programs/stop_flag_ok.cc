// Objects with a thread that polls, which their flag tells to stop, or to go on.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <atomic>
#include <thread>

namespace {

class Poller {
public:
    Poller() : thread_([this] { run(); }) {}
    void stop() {
        is_stopped_.store(true, std::memory_order_release);
        thread_.join();
    }

private:
    void run() {
        while (!is_stopped_.load(std::memory_order_acquire)) {
            int flag;
            MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        }
    }

    std::atomic<bool> is_stopped_{false};
    std::thread thread_;
};

void take_turns() {
    enum { kIdle, kWork, kEnd };
    std::atomic<int> state{kIdle};
    int value = 0;
    std::thread worker([&] {
        for (;;) {
            const int found = state.load();
            if (found == kEnd) return;
            if (found != kWork) continue;
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
            state.store(kIdle);
        }
    });
    for (int i = 0; i < 10; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        state.store(kWork);
        while (state.load() != kIdle) {
        }
    }
    state.store(kEnd);
    MPI_Barrier(MPI_COMM_WORLD);
    worker.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        Poller poller;
        poller.stop();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    take_turns();
    MPI_Finalize();
}
