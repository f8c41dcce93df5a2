/* Functions that return different locks, or new ones.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

#include <mutex>

namespace {

std::mutex& lock_of_senders() {
    static std::mutex lock;
    return lock;
}

std::mutex& lock_of_receivers() {
    static std::mutex lock;
    return lock;
}

class Library {
public:
    static Library& instance() {
        static Library library;
        return library;
    }
    static Library* make() { return new Library; }
    std::mutex& mutex() { return mutex_; }
    void send(int tag) {
        const std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }

private:
    Library() = default;
    std::mutex mutex_;
};

std::mutex& lock_of(int thread) {
    static std::mutex locks[8];
    return locks[thread];
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel sections
    {
#pragma omp section
        {
            const std::lock_guard<std::mutex> hold(lock_of_senders());
            MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
#pragma omp section
        {
            const std::lock_guard<std::mutex> hold(lock_of_receivers());
            MPI_Recv(&argc, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
            const std::lock_guard<std::mutex> hold(Library::instance().mutex());
            MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
#pragma omp section
        {
            const std::lock_guard<std::mutex> hold(lock_of_receivers());
            MPI_Recv(&argc, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
#pragma omp parallel
    {
        Library* library = Library::make();
        library->send(3);
    }
#pragma omp parallel
    {
        const std::lock_guard<std::mutex> hold(lock_of(omp_get_thread_num()));
        MPI_Send(&provided, 1, MPI_INT, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
