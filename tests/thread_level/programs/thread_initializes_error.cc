// A file without main: the thread that it starts initializes MPI, but who has started it calls MPI
// beside it.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <memory>
#include <thread>

class Receiver {
public:
    Receiver() { runner_ = std::make_unique<std::thread>(&Receiver::run, this); }
    ~Receiver() {
        if (runner_) runner_->join();
    }
    void send(int value) {
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }

private:
    void run() {
        int provided;
        int value;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Finalize();  // expect: mpi-finalize
    }

    std::unique_ptr<std::thread> runner_;
};

void receive() {
    Receiver receiver;
    receiver.send(1);
}
