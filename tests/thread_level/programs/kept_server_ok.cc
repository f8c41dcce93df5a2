/* An object with a thread of its own is made only where the pointer to it is null: there is one at a
   time, which ends its thread before it is gone.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace {

class Server {
public:
    explicit Server(int tag) : tag_(tag), thread_([this] { serve(); }) {}
    ~Server() {
        stops_ = true;
        thread_.join();
    }
    void wake() { woken_ = true; }

private:
    void serve() {
        int is_there = 0;
        while (!stops_)
            MPI_Iprobe(MPI_ANY_SOURCE, tag_, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    }

    int tag_;
    std::atomic<bool> stops_{false};
    std::atomic<bool> woken_{false};
    std::thread thread_;
};

Server* server;

void ensure() {
    if (!server) server = new Server(1);
    server->wake();
}

void end() {
    delete server;
    server = nullptr;
}

std::unique_ptr<Server> owned;

void ensure_owned() {
    if (owned == nullptr) owned = std::make_unique<Server>(2);
}

std::mutex guard;
std::unique_ptr<Server> shared;

void ensure_shared() {
    std::lock_guard<std::mutex> held(guard);
    if (!shared) shared.reset(new Server(3));
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < argc; ++step) {
        ensure();
        ensure();
        end();
    }
    ensure_owned();
    ensure_owned();
    owned.reset();
    {
        std::thread first([] { ensure_shared(); });
        std::thread second([] { ensure_shared(); });
        first.join();
        second.join();
    }
    shared.reset();
    MPI_Finalize();
}
