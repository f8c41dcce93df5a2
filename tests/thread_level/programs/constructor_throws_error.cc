/* Where a constructor throws that has started a thread of POSIX, which is a number, that goes on.
   So does one of another object, of which the constructor gets the address.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#include <stdexcept>
#include <thread>

namespace {

void* probe(void* unused) {
    int flag = 0;
    MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

class Inbox {
public:
    explicit Inbox(int size) {
        pthread_create(&reader_, nullptr, probe, nullptr);
        if (size < 0) throw std::runtime_error("no size");
    }
    ~Inbox() { pthread_join(reader_, nullptr); }

private:
    pthread_t reader_;
};

class Outbox {
public:
    Outbox(std::thread& writer, int size) {
        writer = std::thread([] {
            MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
        });
        if (size < 0) throw std::runtime_error("no size");
    }
    ~Outbox() {
        if (checker_.joinable()) checker_.join();
    }

private:
    std::thread checker_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread writer;
    try {
        Outbox outbox(writer, argc - 2);
    } catch (const std::exception&) {
        MPI_Barrier(MPI_COMM_SELF);
    }
    writer.join();
    try {
        Inbox inbox(argc - 2);
    } catch (const std::exception&) {
        MPI_Barrier(MPI_COMM_SELF);
        return 1;
    }
    MPI_Finalize();
}
