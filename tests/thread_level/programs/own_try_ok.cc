// Classes of the program that may be tried like a lock.
// required: MPI_THREAD_SERIALIZED
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

class Port {
public:
    bool try_send() {
        if (!mutex_.try_lock()) return false;
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        mutex_.unlock();
        return true;
    }

private:
    std::mutex mutex_;
};

Library library;
Port port;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        if (library.try_lock()) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
            library.unlock();
        }
#pragma omp barrier
        while (!port.try_send()) {
        }
    }
    MPI_Finalize();
}
