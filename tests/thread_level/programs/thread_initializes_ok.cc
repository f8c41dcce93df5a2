// A file without main: the thread that it starts initializes MPI, calls it, and ends it, and so it
// is MPI's main thread; nobody else calls MPI.
// required: MPI_THREAD_SINGLE
#include <mpi.h>

#include <atomic>
#include <memory>
#include <thread>

class Receiver {
public:
    Receiver() { runner_ = std::make_unique<std::thread>(&Receiver::run, this); }
    ~Receiver() {
        ends_ = true;
        if (runner_) runner_->join();
    }

private:
    void run() {
        int provided;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
        while (!ends_) {
            int flag;
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Finalize();
    }

    std::unique_ptr<std::thread> runner_;
    std::atomic<bool> ends_{false};
};

void receive() {
    static Receiver receiver;
}
