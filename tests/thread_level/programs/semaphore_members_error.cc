// Members of several objects, and what is handed over where it should not be.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

int value;

struct Channel {
    sem_t filled;
    sem_t emptied;
};

void* drain(void* argument) {
    auto* channel = static_cast<Channel*>(argument);
    for (int i = 0; i < 10; ++i) {
        sem_wait(&channel->filled);
        MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF);  // expect: mpi-thread-level
        sem_post(&channel->emptied);
    }
    return nullptr;
}

// Each thread has a channel of its own.
void by_several() {
    Channel first;
    Channel second;
    sem_init(&first.filled, 0, 1);
    sem_init(&first.emptied, 0, 0);
    sem_init(&second.filled, 0, 1);
    sem_init(&second.emptied, 0, 0);
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, drain, &first);
    pthread_create(&threads[1], nullptr, drain, &second);
    pthread_join(threads[0], nullptr);
    pthread_join(threads[1], nullptr);
}

void turn_of(std::binary_semaphore& mine, std::binary_semaphore& yours) {
    mine.acquire();
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
    yours.release();
}

// The second pair is another one.
void by_reference() {
    std::binary_semaphore first(1);
    std::binary_semaphore second(0);
    std::binary_semaphore third(1);
    std::thread thread(turn_of, std::ref(first), std::ref(second));
    std::thread other(turn_of, std::ref(third), std::ref(second));
    thread.join();
    other.join();
}

class Exchange {
public:
    void run() {
        std::thread thread(&Exchange::serve, this);
        ready_.store(true);
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
        thread.join();
    }

private:
    void serve() {
        while (!ready_.load()) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    }
    std::atomic<bool> ready_{false};
};

class Gate {
public:
    void open() {
        std::lock_guard hold(mutex_);
        is_open_ = true;
        changed_.notify_all();
    }
    void pass() {
        std::unique_lock hold(mutex_);
        changed_.wait(hold, [this] { return is_open_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_open_ = false;
};

// The gate that is opened is not the one that the thread passes.
void by_gates() {
    Gate gate;
    auto other = std::make_unique<Gate>();
    other->open();
    std::thread thread([&other] {
        other->pass();
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    gate.open();
    thread.join();
}

class Guarded {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-thread-level
    }

private:
    std::mutex mutex_;
};

// Each thread makes one.
void by_own_locks() {
    std::thread first([] {
        Guarded mine;
        mine.send(5);
    });
    std::thread second([] {
        Guarded mine;
        mine.send(6);
    });
    first.join();
    second.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_several();
    by_reference();
    Exchange().run();
    by_gates();
    by_own_locks();
    MPI_Finalize();
}
