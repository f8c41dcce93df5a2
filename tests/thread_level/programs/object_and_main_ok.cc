// Twin of object_and_main_error.cc: main() waits for the thread first, or has another object; or the
// thread has a copy.
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
    void wait() {
        thread_.join();
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
    }

private:
    void poll() {
        int flag = 0;
        for (int i = 0; i < 10 && flag == 0; i++) MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
    }

    MPI_Request request_ = MPI_REQUEST_NULL;
    std::thread thread_;
    int value_ = 0;
};

struct Message {
    MPI_Request request = MPI_REQUEST_NULL;
    int value = 0;

    void send(int tag) { MPI_Isend(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request); }
    void wait() { MPI_Wait(&request, MPI_STATUS_IGNORE); }
    void send_and_wait() {
        send(2);
        wait();
    }
};

class Group {
public:
    Group() { MPI_Comm_dup(MPI_COMM_WORLD, &communicator_); }
    void meet() { MPI_Barrier(communicator_); }

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
    Message message, copied;
    message.send(1);
    std::thread sender(&Message::send_and_wait, copied);
    copied.send(3);
    message.wait();
    copied.wait();
    sender.join();
    Group group, others;
    std::thread other(&Group::meet, &group);
    others.meet();
    other.join();
    MPI_Finalize();
}
