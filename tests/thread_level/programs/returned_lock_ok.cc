/* Functions that return one lock, or one object that has a lock.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex& lock_of_mpi() {
    static std::mutex lock;
    return lock;
}

std::mutex& the_same() {
    return lock_of_mpi();
}

class Library {
public:
    static Library& instance() {
        static Library library;
        return library;
    }
    std::mutex& mutex() { return mutex_; }
    void send(int tag) {
        const std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    }

private:
    Library() = default;
    std::mutex mutex_;
};

void send(std::mutex& lock, int tag) {
    const std::lock_guard<std::mutex> hold(lock);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        {
            const std::lock_guard<std::mutex> hold(lock_of_mpi());
            MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        }
        {
            std::mutex& lock = the_same();
            const std::scoped_lock hold(lock);
            MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        }
        send(the_same(), 3);
    }
#pragma omp parallel
    {
        {
            const std::unique_lock<std::mutex> hold(Library::instance().mutex());
            MPI_Send(&provided, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
        }
        Library::instance().send(5);
        send(Library::instance().mutex(), 6);
    }
    MPI_Finalize();
}
