/* Locks of the C++ library that are not held any more, not yet, or not the same.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex first;
std::mutex second;

class Channel {
public:
    void send(int tag) {
        const std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }

private:
    std::mutex mutex_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        std::unique_lock<std::mutex> hold(second, std::defer_lock);
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        hold.lock();
    }
#pragma omp parallel
    {
        std::unique_lock<std::mutex> hold(second);
        hold.unlock();
        MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
            const std::scoped_lock hold(first);
            MPI_Send(&provided, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
#pragma omp section
        {
            const std::scoped_lock hold(second);
            MPI_Send(&provided, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
        }
    }
#pragma omp parallel
    {
        Channel channel;
        channel.send(5);
    }
    MPI_Finalize();
}
