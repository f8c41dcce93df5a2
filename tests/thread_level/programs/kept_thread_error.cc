/* A thread is started where the variable that keeps it has none. But two threads may find that at a
   time, each object has its own, or it is another thread that is kept there.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <memory>
#include <thread>
#include <vector>

namespace {

// Two threads may come here at a time, and nobody has been here before.
std::unique_ptr<std::thread> prober;

void probe() {
    int flag = 0;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

void start_prober() {
    if (!prober) prober = std::make_unique<std::thread>(probe);
}

// Two objects.
class Journal {
public:
    void open() {
        if (writer_ == nullptr) writer_.reset(new std::thread([] {
            MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }));
    }
    void close() {
        if (writer_) writer_->join();
    }

private:
    std::unique_ptr<std::thread> writer_;
};

Journal first_journal, second_journal;

// Another thread is kept in the variable that is asked.
std::thread seldom;
std::vector<std::thread> all;

void tell() {
    MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

void update() {
    if (!seldom.joinable()) {
        seldom = std::thread([] {});
        all.push_back(std::thread(tell));
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        std::thread first([] { start_prober(); });
        std::thread second([] { start_prober(); });
        first.join();
        second.join();
        if (prober) prober->join();
    }
    first_journal.open();
    second_journal.open();
    first_journal.close();
    second_journal.close();
    for (int step = 0; step < argc; ++step) {
        update();
        seldom.join();
    }
    for (std::thread& each : all)
        each.join();
    MPI_Finalize();
}
