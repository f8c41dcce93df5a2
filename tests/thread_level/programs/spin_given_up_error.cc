/* Who has not got the lock goes on after one try, or after a few.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

class Once {
public:
    void lock() {
        if (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

Once once;
std::mutex often;

void take_often() {
    for (int i = 0; i < 10; ++i)
        if (often.try_lock()) return;
}

void send_once(int tag) {
    once.lock();
    MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    once.unlock();
}

void send_often(int tag) {
    take_often();
    MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    often.unlock();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        std::jthread first(send_once, 1);
        std::jthread second(send_once, 2);
    }
    {
        std::jthread first(send_often, 1);
        std::jthread second(send_often, 2);
    }
    MPI_Finalize();
}
