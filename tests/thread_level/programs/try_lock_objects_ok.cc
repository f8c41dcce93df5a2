/* Lock objects of the C++ library that ask whether they have got the lock.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <chrono>
#include <mutex>

namespace {

std::mutex mutex;
std::timed_mutex timed;

void send(int tag) {
    int value = tag;
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const std::unique_lock<std::mutex> hold(mutex, std::try_to_lock);
        if (hold.owns_lock()) send(1);
    }
#pragma omp parallel
    {
        const std::unique_lock<std::mutex> hold(mutex, std::try_to_lock);
        if (hold) send(2);
    }
#pragma omp parallel
    {
        std::unique_lock<std::mutex> hold(mutex, std::defer_lock);
        while (!hold.try_lock()) {
        }
        send(3);
    }
#pragma omp parallel
    {
        std::unique_lock<std::timed_mutex> hold(timed, std::defer_lock);
        if (hold.try_lock_for(std::chrono::milliseconds(1))) send(4);
    }
    MPI_Finalize();
}
