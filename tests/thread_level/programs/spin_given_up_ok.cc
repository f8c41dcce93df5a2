/* Who has not got the lock tries again, waits for it in another way, or does not come back.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

class Spin {
public:
    void lock() {
        while (flag_.test_and_set(std::memory_order_acquire))
            std::this_thread::yield();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

Spin spin;
std::mutex waited;
std::mutex ended;

void take_waited() {
    for (int i = 0; i < 10; ++i)
        if (waited.try_lock()) return;
    waited.lock();
}

void take_ended() {
    if (!ended.try_lock()) std::abort();
}

void send_spin(int tag) {
    spin.lock();
    MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
    spin.unlock();
}

void send_waited(int tag) {
    take_waited();
    MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
    waited.unlock();
}

void send_ended(int tag) {
    take_ended();
    MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
    ended.unlock();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        std::jthread first(send_spin, 1);
        std::jthread second(send_spin, 2);
    }
    {
        std::jthread first(send_waited, 1);
        std::jthread second(send_waited, 2);
    }
    {
        std::jthread first(send_ended, 1);
        std::jthread second(send_ended, 2);
    }
    MPI_Finalize();
}
