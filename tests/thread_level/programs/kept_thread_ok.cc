/* A thread is started only where the variable that keeps it has none: by the main thread whenever
   it comes by, by others once that has been there, or under a lock.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <memory>
#include <mutex>
#include <thread>

namespace {

MPI_Comm progress, logs, halos, probes;

void receive(MPI_Comm comm) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
}

// Joined and started again.
std::thread helper;

void poll() {
    if (!helper.joinable()) helper = std::thread(receive, progress);
}

void rest() {
    if (helper.joinable()) helper.join();
}

// A pointer, in the only object of its class.
class Journal {
public:
    void open() {
        if (writer_ == nullptr) writer_.reset(new std::thread([] { receive(logs); }));
    }
    void close() {
        if (writer_) writer_->join();
        writer_.reset();
    }

private:
    std::unique_ptr<std::thread> writer_;
};

Journal journal;

// By whichever thread comes first.
std::mutex guard;
std::thread* exchange;

void begin_exchange() {
    std::lock_guard<std::mutex> held(guard);
    if (!exchange) exchange = new std::thread(receive, halos);
}

// The main thread has been here before there are others.
std::unique_ptr<std::thread> prober;

int start_prober() {
    if (!prober) prober = std::make_unique<std::thread>(receive, probes);
    return 1;
}

void stop() {
    if (exchange) {
        exchange->join();
        delete exchange;
        exchange = nullptr;
    }
    if (prober) prober->join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < argc; ++step) {
        poll();
        poll();
        rest();
    }
    for (int step = 0; step < argc; ++step)
        journal.open();
    journal.close();
    {
        std::thread first([] { begin_exchange(); });
        std::thread second([] { begin_exchange(); });
        first.join();
        second.join();
    }
    stop();
    start_prober();
    {
        std::thread first([] { start_prober(); });
        std::thread second([] { start_prober(); });
        first.join();
        second.join();
    }
    stop();
    MPI_Finalize();
}
