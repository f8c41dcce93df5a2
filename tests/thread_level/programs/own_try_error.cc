// Classes that may be tried like a lock, of which there are several, or that are not asked.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>

namespace {

int value;

class Library {
public:
    bool try_lock() { return mutex_.try_lock(); }
    void unlock() { mutex_.unlock(); }

private:
    std::mutex mutex_;
};

Library library;
Library other;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            if (library.try_lock()) {
                MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
                library.unlock();
            }
#pragma omp section
            if (other.try_lock()) {
                MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
                other.unlock();
            }
        }
    }
#pragma omp parallel
    {
        const bool is_mine = library.try_lock();
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
        if (is_mine) library.unlock();
    }
    MPI_Finalize();
}
