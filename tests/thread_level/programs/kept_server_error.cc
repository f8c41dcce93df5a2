/* There may be two objects with a thread: one is forgotten while it is there, one is made by two
   threads at a time.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <atomic>
#include <memory>
#include <thread>

namespace {

std::atomic<bool> stops{false};

class Server {
public:
    Server() : thread_([this] { serve(); }) {}
    ~Server() { thread_.join(); }

private:
    void serve() {
        int is_there = 0;
        while (!stops)
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    }

    std::thread thread_;
};

class Sender {
public:
    Sender() : thread_([] { MPI_Send(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_WORLD); }) {}  // expect: mpi-thread-level
    ~Sender() { thread_.join(); }

private:
    std::thread thread_;
};

Server* server;

void ensure() {
    if (!server) server = new Server;
}

void forget() {
    server = nullptr;
}

std::unique_ptr<Sender> sender;

void ensure_sender() {
    if (!sender) sender = std::make_unique<Sender>();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc == 1) {
        std::thread first([] { ensure_sender(); });
        std::thread second([] { ensure_sender(); });
        first.join();
        second.join();
        sender.reset();
    } else {
        ensure();
        forget();
        ensure();
        stops = true;
        delete server;
    }
    MPI_Finalize();
}
