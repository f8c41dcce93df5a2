/* What is put into a pointer destroys what that has had: a thread may end MPI.
   required: MPI_THREAD_MULTIPLE */
#include <memory>
#include <mpi.h>
#include <mutex>
#include <thread>

class Session {
public:
    Session() = default;
    ~Session() {
        MPI_Finalize(); /* expect: mpi-finalize mpi-finalize */
    }
    void send(int tag) {
        int x = 0;
        MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    }
};

class Owner {
    std::unique_ptr<Session> session;
    std::mutex mutex;

public:
    Session& first() {
        const std::lock_guard<std::mutex> guard(mutex);
        if (session) session = std::make_unique<Session>();
        return *session;
    }
};

static Owner owner;

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::thread first([] { owner.first().send(1); });
    std::thread second([] { owner.first().send(2); });
    first.join();
    second.join();
}
