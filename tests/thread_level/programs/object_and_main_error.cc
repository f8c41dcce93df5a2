// Objects of main() whose threads use the same request and communicator as main() does.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <atomic>
#include <thread>

class Transfer {
public:
    void start() {
        MPI_Irecv(&value_, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request_);
        thread_ = std::thread(&Transfer::poll, this);
    }
    void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
    void end() {
        stop_ = true;
        thread_.join();
    }

private:
    void poll() {
        int flag;
        while (!stop_) MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
    }

    MPI_Request request_ = MPI_REQUEST_NULL;
    std::atomic<bool> stop_{false};
    std::thread thread_;
    int value_ = 0;
};

class Group {
public:
    Group() { MPI_Comm_dup(MPI_COMM_WORLD, &communicator_); }
    void meet() {
        MPI_Barrier(communicator_);  // expect: mpi-concurrent-collectives
    }
    void sum(double* value) {
        MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, communicator_);
    }

private:
    MPI_Comm communicator_;
};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    Transfer transfer;
    transfer.start();
    transfer.wait();
    transfer.end();
    double value = 0;
    Group group;
    std::thread other(&Group::meet, &group);
    group.sum(&value);
    other.join();
    MPI_Finalize();
}
