/* Relaxed order, a flag that is reset too early, another value that is waited for, an address that
   gets around, a lock that is opened too early.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <atomic>
#include <thread>

namespace {

std::atomic<int> turn{0};
std::atomic_flag lock = ATOMIC_FLAG_INIT;
std::atomic<bool>* known;
int value;

void relaxed() {
    std::atomic<bool> done{false};
    std::thread thread([&] {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        done.store(true, std::memory_order_relaxed);
    });
    while (!done.load(std::memory_order_acquire)) std::this_thread::yield();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void relaxed_load() {
    std::atomic<bool> done{false};
    std::thread thread([&] {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        done.store(true, std::memory_order_release);
    });
    while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void reset_early() {
    std::atomic<bool> done{false};
    std::thread thread([&] {
        done = true;
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    });
    while (!done) std::this_thread::yield();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void send_one() {
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    turn = 1;
}

void other_value() {
    std::thread thread(send_one);
    while (turn == 2) std::this_thread::yield();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void escapes() {
    std::atomic<bool> done{false};
    known = &done;
    std::thread thread([&] {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        done = true;
    });
    while (!done) std::this_thread::yield();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void locked() {
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    lock.clear(std::memory_order_release);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    relaxed();
    relaxed_load();
    reset_early();
    other_value();
    escapes();
    std::thread first(locked), second(locked);
    first.join();
    second.join();
    MPI_Finalize();
}
