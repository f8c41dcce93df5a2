// Guards of a lock that are on the heap, and given up too early, or each of a lock of its own.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <memory>
#include <mutex>
static std::mutex mutex;
static int value;
class Guard {
public:
    explicit Guard(std::mutex& m) : mutex_(m) { mutex_.lock(); }
    ~Guard() { mutex_.unlock(); }
private:
    std::mutex& mutex_;
};
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        auto* hold = new std::lock_guard<std::mutex>(mutex);
        ++value;
        delete hold;
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        auto hold = std::make_unique<std::unique_lock<std::mutex>>(mutex);
        ++value;
        hold.reset();
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        std::mutex own;
        std::unique_ptr<Guard> hold(new Guard(own));
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
    MPI_Finalize();
}
