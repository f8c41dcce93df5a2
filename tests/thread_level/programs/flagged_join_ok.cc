// Functions that start threads say so in variables; who ends the program joins those that are there.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <atomic>
#include <thread>

static std::thread progress, logger;
static std::atomic<bool> done{false};
static bool has_progress = false;
static bool has_logger = false;

static void poll() {
    while (!done) {
        int flag;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
}

class Server {
public:
    Server() { start(); }
    ~Server() {
        stop();
        MPI_Barrier(MPI_COMM_WORLD);
    }

private:
    void run() {
        while (!done_) {
            int flag;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    }
    void start() {
        if (is_running_) return;
        thread_ = std::thread(&Server::run, this);
        is_running_ = true;
    }
    void stop() {
        if (!is_running_) return;
        done_ = true;
        thread_.join();
        is_running_ = false;
    }

    std::thread thread_;
    std::atomic<bool> done_{false};
    bool is_running_ = false;
};

static void log_sizes() {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

void start_logger() {
    logger = std::thread(log_sizes);
    has_logger = true;
}

void stop_logger() {
    if (!has_logger) return;
    logger.join();
    has_logger = false;
}

void begin(int* argc, char*** argv) {
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start_logger();
    stop_logger();
    progress = std::thread(poll);
    has_progress = true;
}

void stop_progress() {
    if (has_progress) {
        done = true;
        progress.join();
        has_progress = false;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void end() {
    stop_progress();
    MPI_Finalize();
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    stop_progress();
    {
        Server server;
    }
    end();
}
