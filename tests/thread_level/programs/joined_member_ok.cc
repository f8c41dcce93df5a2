// Threads in members of objects that a member function joins before the next one starts, and before
// MPI is called.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <future>
#include <thread>

namespace {

double data[4];

class Writer {
public:
    void wait() {
        if (pending_.joinable()) pending_.join();
    }
    void write(int tag) {
        wait();
        pending_ = std::thread([tag] { MPI_Send(data, 4, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD); });
    }
    void close() {
        wait();
        MPI_Barrier(MPI_COMM_WORLD);
    }

private:
    std::thread pending_;
};

class Saver {
public:
    void save(int tag) {
        wait();
        MPI_Barrier(MPI_COMM_WORLD);
        pending_ = std::async(std::launch::async, [tag] {
            MPI_Send(data, 4, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
        });
    }
    void finish() { close(); }

private:
    void close() {
        if (pending_.valid()) pending_.get();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void wait() {
        if (pending_.valid()) pending_.get();
    }

    std::future<void> pending_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Writer writer;
    for (int i = 0; i < 10; ++i) writer.write(i);
    writer.close();
    Saver saver;
    for (int i = 0; i < 10; ++i) saver.save(i);
    saver.finish();
    MPI_Finalize();
}
