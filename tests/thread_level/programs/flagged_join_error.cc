// Twin of flagged_join_ok.cc: who starts the thread does not always say so.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <atomic>
#include <thread>

static std::thread progress;
static std::atomic<bool> done{false};
static bool has_progress = false;

static void poll() {
    while (!done) {
        int flag;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, // expect: mpi-finalize mpi-thread-level
                   MPI_STATUS_IGNORE);
    }
}

class Server {
public:
    explicit Server(bool says) {
        thread_ = std::thread(&Server::run, this);
        if (says) is_running_ = true;
    }
    ~Server() {
        if (is_running_) {
            done_ = true;
            thread_.join();
        }
        MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-thread-level
    }

private:
    void run() {
        while (!done_) {
            int flag;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    }

    std::thread thread_;
    std::atomic<bool> done_{false};
    bool is_running_ = false;
};

void begin(int* argc, char*** argv) {
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    progress = std::thread(poll);
    if (*argc > 1) has_progress = true;
}

void end() {
    if (has_progress) {
        done = true;
        progress.join();
        has_progress = false;
    }
    MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-thread-level
    MPI_Finalize();
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    {
        Server server(argc > 2);
    }
    end();
}
