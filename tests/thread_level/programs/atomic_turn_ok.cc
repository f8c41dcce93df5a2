/* Threads hand MPI on by std::atomic, std::atomic_flag, and what a lambda refers to.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <atomic>
#include <thread>

namespace {

enum class Turn { kCompute, kSend, kEnd };

std::atomic<Turn> turn{Turn::kCompute};
std::atomic_flag is_there = ATOMIC_FLAG_INIT;
std::atomic_flag lock = ATOMIC_FLAG_INIT;
int value;

void exchange() {
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void fetch() {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    is_there.test_and_set(std::memory_order_release);
    is_there.notify_one();
}

void send() {
    for (;;) {
        while (turn.load() == Turn::kCompute) std::this_thread::yield();
        if (turn.load() == Turn::kEnd) return;
        exchange();
        turn = Turn::kCompute;
    }
}

void wait_for_local() {
    std::atomic<int> state{0};
    std::thread thread([&] {
        exchange();
        state.store(1, std::memory_order_release);
        while (state != 2) {
        }
        exchange();
        state = 3;
    });
    while (state.load(std::memory_order_acquire) != 1) std::this_thread::yield();
    exchange();
    state.store(2);
    while (state != 3) std::this_thread::yield();
    exchange();
    thread.join();
}

void fenced() {
    std::atomic<bool> done(false);
    std::thread thread([&done] {
        exchange();
        std::atomic_thread_fence(std::memory_order_release);
        done.store(true, std::memory_order_relaxed);
    });
    while (!done.load(std::memory_order_relaxed)) {
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    exchange();
    thread.join();
}

void locked() {
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    exchange();
    lock.clear(std::memory_order_release);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread first(fetch);
    is_there.wait(false, std::memory_order_acquire);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    first.join();
    std::thread second(send);
    for (int i = 0; i < 10; ++i) {
        turn.store(Turn::kSend, std::memory_order_release);
        while (turn != Turn::kCompute) {
        }
        exchange();
    }
    turn = Turn::kEnd;
    second.join();
    wait_for_local();
    fenced();
    std::thread third(locked), fourth(locked);
    third.join();
    fourth.join();
    MPI_Finalize();
}
