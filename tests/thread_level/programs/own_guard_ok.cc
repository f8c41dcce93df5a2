/* Guards that a program writes itself, with a reference or a pointer to the lock as a member, which
   their constructor is handed: the calls are in their scopes.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

#include <mutex>

namespace {

class Guard {
public:
    explicit Guard(omp_lock_t& lock) : lock_(lock) {
        omp_set_lock(&lock_);
    }
    ~Guard() {
        omp_unset_lock(&lock_);
    }

private:
    omp_lock_t& lock_;
};

class MutexGuard {
public:
    explicit MutexGuard(std::mutex* mutex) : mutex_(mutex) {
        mutex->lock();
    }
    ~MutexGuard() {
        if (mutex_ != nullptr) mutex_->unlock();
    }

private:
    std::mutex* mutex_;
};

omp_lock_t lock;
std::mutex mutex;
int count = 0;

void send(int number) {
    {
        const Guard guard(lock);
        if (count == 100) return;
        ++count;
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
#pragma omp barrier
    {
        const MutexGuard guard(&mutex);
        ++count;
        MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&lock);
#pragma omp parallel
    send(omp_get_thread_num());
    omp_destroy_lock(&lock);
    MPI_Finalize();
}
