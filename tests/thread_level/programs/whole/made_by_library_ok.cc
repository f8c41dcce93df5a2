// Objects of a class of another file that the C++ library makes and ends: each has a thread, which
// has ended when the program goes on.
// required: MPI_THREAD_SERIALIZED
// requested: MPI_THREAD_SERIALIZED

// file: server.h
#include <mpi.h>

#include <atomic>
#include <thread>

class Server {
public:
    explicit Server(MPI_Comm comm);
    ~Server();
private:
    void run();
    MPI_Comm comm_;
    std::atomic<bool> ends_{false};
    std::thread thread_;
};

// file: server.cc
#include "server.h"

Server::Server(MPI_Comm comm) : comm_(comm) {
    thread_ = std::thread(&Server::run, this);
}

Server::~Server() {
    ends_ = true;
    thread_.join();
}

void Server::run() {
    int value = 0;
    while (!ends_) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm_, MPI_STATUS_IGNORE);
}

// file: main.cc
#include "server.h"

#include <list>
#include <memory>
#include <optional>
#include <vector>

static void send(int tag) {
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    { auto server = std::make_unique<Server>(MPI_COMM_WORLD); }
    send(0);
    {
        std::vector<std::unique_ptr<Server>> servers;
        servers.push_back(std::make_unique<Server>(MPI_COMM_WORLD));
    }
    send(1);
    { auto server = std::make_shared<Server>(MPI_COMM_WORLD); }
    send(3);
    {
        std::list<Server> servers;
        servers.emplace_back(MPI_COMM_WORLD);
    }
    send(4);
    std::optional<Server> server;
    server.emplace(MPI_COMM_WORLD);
    server.reset();
    send(2);
    MPI_Finalize();
}
