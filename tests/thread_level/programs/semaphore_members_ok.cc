// Semaphores, flags and condition variables that are members, or are handed over.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

int value;

void send_one() { MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); }
void receive_one() { MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); }

struct Channel {
    sem_t filled;
    sem_t emptied;
};

void* drain(void* argument) {
    auto* channel = static_cast<Channel*>(argument);
    for (int i = 0; i < 10; ++i) {
        sem_wait(&channel->filled);
        receive_one();
        sem_post(&channel->emptied);
    }
    return nullptr;
}

void by_pointer() {
    Channel channel;
    sem_init(&channel.filled, 0, 0);
    sem_init(&channel.emptied, 0, 0);
    pthread_t thread;
    pthread_create(&thread, nullptr, drain, &channel);
    for (int i = 0; i < 10; ++i) {
        send_one();
        sem_post(&channel.filled);
        sem_wait(&channel.emptied);
    }
    pthread_join(thread, nullptr);
}

void turn_of(std::binary_semaphore& mine, std::binary_semaphore& yours) {
    for (int i = 0; i < 10; ++i) {
        mine.acquire();
        send_one();
        yours.release();
    }
}

void by_reference() {
    std::binary_semaphore first(1);
    std::binary_semaphore second(0);
    std::thread thread(turn_of, std::ref(first), std::ref(second));
    for (int i = 0; i < 10; ++i) {
        second.acquire();
        receive_one();
        first.release();
    }
    thread.join();
}

class Exchange {
public:
    void run() {
        std::thread thread(&Exchange::serve, this);
        send_one();
        ready_.store(true);
        thread.join();
    }

private:
    void serve() {
        while (!ready_.load()) {
        }
        receive_one();
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

void by_gate() {
    Gate gate;
    std::thread thread([&gate] {
        gate.pass();
        receive_one();
    });
    send_one();
    gate.open();
    thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_pointer();
    by_reference();
    Exchange().run();
    by_gate();
    MPI_Finalize();
}
