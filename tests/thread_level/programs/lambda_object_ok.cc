// Objects that a thread's lambda refers to: who has started it uses others, or the same lock.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>
#include <thread>

class Server {
public:
    Server() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
    ~Server() { MPI_Comm_free(&comm_); }
    void run() {
        std::thread thread([this] { sync(); });
        MPI_Barrier(MPI_COMM_WORLD);
        thread.join();
        sync();
    }

private:
    void sync() { MPI_Barrier(comm_); }
    MPI_Comm comm_;
};

class Exchange {
public:
    void start() { MPI_Irecv(&value_, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request_); }
    void progress() {
        int flag = 0;
        MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
    }
    void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

private:
    int value_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

class Channel {
public:
    void send(int tag) {
        std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(&value_, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }

private:
    int value_ = 0;
    std::mutex mutex_;
};

// One process has no order that others could have the other way round.
class Alone {
public:
    explicit Alone(MPI_Comm comm) : comm_(comm) {}
    void sync() {
        std::lock_guard<std::mutex> hold(mutex_);
        MPI_Barrier(comm_);
    }

private:
    MPI_Comm comm_;
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
        Exchange first;
        Exchange second;
        first.start();
        second.start();
        std::thread thread([&first] { first.progress(); });
        second.wait();
        thread.join();
        first.wait();
    }
    {
        Channel channel;
        const auto send = [&channel] { channel.send(1); };
        std::thread thread(send);
        channel.send(2);
        thread.join();
        send();
    }
    {
        Alone alone(MPI_COMM_SELF);
        std::thread thread([&alone] { alone.sync(); });
        alone.sync();
        thread.join();
    }
    MPI_Finalize();
}
