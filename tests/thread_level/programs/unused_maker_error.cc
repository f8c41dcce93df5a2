// The lock that objects of a class refer to is one of main, or, as a function makes others, of a
// thread: one or the other lock.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <memory>
#include <mutex>
#include <thread>

class Sender {
public:
    explicit Sender(std::mutex& lock) : lock_(lock) {}
    void send(int value) {
        const std::lock_guard guard(lock_);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-conditional-lock
    }

private:
    std::mutex& lock_;
};

static std::unique_ptr<Sender> make(std::mutex& lock) {
    return std::make_unique<Sender>(lock);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::mutex lock;
    auto sender = std::make_unique<Sender>(lock);
    std::thread one([&] { sender->send(1); });
    std::thread other([] {
        std::mutex own;
        make(own)->send(2);
    });
    one.join();
    other.join();
    MPI_Finalize();
}
