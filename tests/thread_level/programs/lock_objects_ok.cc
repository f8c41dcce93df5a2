/* Locks of the C++ library that are taken together, later, or by a member of a shared object.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex first;
std::mutex second;
std::once_flag once;

void send(int tag) {
    int value = tag;
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

class Channel {
public:
    void send(int tag) {
        const std::lock_guard<std::mutex> hold(mutex_);
        ::send(tag);
    }

    void send_twice(int tag) {
        {
            std::unique_lock<std::mutex> hold(mutex_);
            ::send(tag);
        }
        send(tag);
    }

private:
    std::mutex mutex_;
};

Channel channel;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const std::scoped_lock both(first, second);
        send(1);
    }
#pragma omp parallel
    {
        std::unique_lock<std::mutex> hold(second, std::defer_lock);
        hold.lock();
        send(2);
        hold.unlock();
        hold.lock();
        send(3);
    }
#pragma omp parallel
    {
        if (provided > 0) {
            const std::scoped_lock<std::mutex, std::mutex> both(first, second);
            send(4);
        } else {
            const std::lock_guard<std::mutex> hold(second);
            send(5);
        }
    }
#pragma omp parallel
    {
        std::lock(first, second);
        const std::lock_guard<std::mutex> hold_first(first, std::adopt_lock);
        const std::lock_guard<std::mutex> hold_second(second, std::adopt_lock);
        send(6);
    }
#pragma omp parallel
    channel.send(7);
#pragma omp parallel
    channel.send_twice(8);
    Channel other;
#pragma omp parallel
    other.send(9);
#pragma omp parallel
    std::call_once(once, [] { send(10); });
    MPI_Finalize();
}
