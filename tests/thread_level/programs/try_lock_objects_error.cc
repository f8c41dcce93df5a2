/* Lock objects of the C++ library that have not got the lock, or that nobody has asked.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex mutex;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const std::unique_lock<std::mutex> hold(mutex, std::try_to_lock);
        if (!hold.owns_lock())
            MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        const std::unique_lock<std::mutex> hold(mutex, std::try_to_lock);
        MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        std::unique_lock<std::mutex> hold(mutex, std::defer_lock);
        if (hold.try_lock()) hold.unlock();
        MPI_Send(&provided, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
