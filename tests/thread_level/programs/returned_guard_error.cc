/* A guard that a function returns is gone before the call.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex lock;
int calls;

std::unique_lock<std::mutex> hold() {
    return std::unique_lock<std::mutex>(lock);
}

class Library {
public:
    std::unique_lock<std::mutex> hold() {
        std::unique_lock<std::mutex> held(mutex_);
        ++users_;
        return held;
    }

private:
    std::mutex mutex_;
    int users_ = 0;
};

Library library;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        {
            const auto held = hold();
            ++calls;
        }
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        (void)library.hold();
        MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        auto held = library.hold();
        held.unlock();
        MPI_Send(&provided, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
