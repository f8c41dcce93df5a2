// Objects that a thread's lambda refers to: members of the same one, used by who has started it, too.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>
#include <thread>

// The lambda gets this.
class Server {
public:
    Server() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
    ~Server() { MPI_Comm_free(&comm_); }
    void run() {
        std::thread thread([this] { sync(); });
        sync();
        thread.join();
    }

private:
    void sync() { MPI_Barrier(comm_); }  // expect: mpi-concurrent-collectives
    MPI_Comm comm_;
};

// By reference, in main.
class Exchange {
public:
    void start() { MPI_Irecv(&value_, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request_); }
    void progress() {
        int flag = 0;
        MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
    }
    void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

private:
    int value_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

// Two objects have two locks.
class Channel {
public:
    void send(int value) {
        std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-message-order
    }

private:
    std::mutex mutex_;
};

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Server server;
        server.run();
    }
    {
        Exchange exchange;
        exchange.start();
        std::thread thread([&] { exchange.progress(); });
        exchange.wait();
        thread.join();
    }
    {
        Channel first;
        Channel second;
        std::thread thread([&first] { first.send(1); });
        second.send(2);
        thread.join();
    }
    MPI_Finalize();
}
