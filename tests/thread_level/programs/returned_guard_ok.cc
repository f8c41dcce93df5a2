/* A guard that a function returns, and that is there for as long as the call.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex lock;

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
        const auto held = hold();
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
#pragma omp parallel
    for (int i = 0; i < 2; ++i) {
        auto held = library.hold();
        MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        held.unlock();
    }
    MPI_Finalize();
}
