/* Objects that keep a lock by reference, of which one has another lock than the rest.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <memory>
#include <mutex>
#include <thread>

namespace {

class Sender {
public:
    explicit Sender(std::mutex& mutex) : mutex_(mutex) {}

    void send(int to) {
        const std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(nullptr, 0, MPI_INT, to, 0, MPI_COMM_WORLD); // expect: mpi-thread-level
    }

private:
    std::mutex& mutex_;
};

class Task {
public:
    Task(int to, std::mutex* mutex) : to_(to), mutex_(mutex) {}

    void operator()() const {
        mutex_->lock();
        MPI_Send(nullptr, 0, MPI_INT, to_, 1, MPI_COMM_WORLD);
        mutex_->unlock();
    }

private:
    int to_;
    std::mutex* mutex_;
};

class Receiver {
public:
    explicit Receiver(std::mutex& mutex) : mutex_(mutex) {}

    void receive(int from) {
        const std::scoped_lock hold(mutex_);
        MPI_Recv(nullptr, 0, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    }

private:
    std::mutex& mutex_;
};

struct Library {
    std::mutex mutex;
    Receiver receiver{mutex};
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        std::mutex mutex;
        std::mutex other;
        Sender first(mutex);
        const auto second = std::make_unique<Sender>(other);
        std::thread sender([&first] { first.send(0); });
        std::thread task(Task(1, &mutex));
        second->send(1);
        sender.join();
        task.join();
    }
    Library library;
    std::mutex mine;
    Receiver own{mine};
    std::thread receiver([&library] { library.receiver.receive(0); });
    own.receive(1);
    receiver.join();
    MPI_Finalize();
}
