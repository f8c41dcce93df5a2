/* What is put into a pointer that is null replaces nothing, and what is left of the pointer that it
   has been in destroys nothing: no thread ends MPI.
   required: MPI_THREAD_MULTIPLE */
#include <memory>
#include <mpi.h>
#include <mutex>
#include <thread>

class Session {
public:
    Session() = default;
    ~Session() { MPI_Finalize(); }
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
        if (session == nullptr) session = std::make_unique<Session>();
        return *session;
    }
    Session& second() {
        const std::lock_guard<std::mutex> guard(mutex);
        if (session) return *session;
        auto made = std::unique_ptr<Session>(new Session);
        session = std::move(made);
        return *session;
    }
    Session& third() {
        const std::lock_guard<std::mutex> guard(mutex);
        if (session.get() == nullptr) session.reset(new Session);
        return *session;
    }
};

static Owner owner;

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::thread first([] { owner.first().send(1); });
    std::thread second([] { owner.second().send(2); });
    std::thread third([] { owner.third().send(3); });
    first.join();
    second.join();
    third.join();
}
