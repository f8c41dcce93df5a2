// Threads in members of objects that are not joined by all ways to what calls MPI beside them.
// required: MPI_THREAD_MULTIPLE
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
        pending_ = std::thread([tag] {
            MPI_Send(data, 4, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);  // expect: mpi-thread-level
        });
    }
    void close(bool is_empty) {
        if (!is_empty) wait();
        MPI_Barrier(MPI_COMM_WORLD);
        wait();
    }

private:
    std::thread pending_;
};

class Saver {
public:
    void save(int tag) {
        MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-thread-level
        wait();
        pending_ = std::async(std::launch::async, [tag] {
            MPI_Send(data, 4, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
        });
    }
    void wait() {
        if (pending_.valid()) pending_.get();
    }

private:
    std::future<void> pending_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Writer writer;
    for (int i = 0; i < 10; ++i) writer.write(i);
    writer.close(argc > 1);
    Saver saver;
    for (int i = 0; i < 10; ++i) saver.save(i);
    saver.wait();
    MPI_Finalize();
}
