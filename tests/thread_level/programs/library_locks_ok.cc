// Locks and threads of Qt, Abseil, GLib and libuv, as their headers declare them. required: MPI_THREAD_SERIALIZED
#include <mpi.h>

class QMutex {
    void* data_ = nullptr;

public:
    QMutex();
    ~QMutex();
    void lock();
    bool tryLock(int timeout = 0);
    void unlock();
};

class QMutexLocker {
    QMutex* mutex_;

public:
    explicit QMutexLocker(QMutex* mutex) : mutex_(mutex) { mutex_->lock(); }
    ~QMutexLocker() { mutex_->unlock(); }
};

namespace absl {
inline namespace lts_20220623 {
class Mutex {
    void* data_ = nullptr;

public:
    Mutex();
    ~Mutex();
    void Lock();
    void Unlock();
};

class MutexLock {
    Mutex* mutex_;

public:
    explicit MutexLock(Mutex* mutex) : mutex_(mutex) { mutex_->Lock(); }
    ~MutexLock() { mutex_->Unlock(); }
};
}  // namespace lts_20220623
}  // namespace absl

extern "C" {
struct GMutex {
    void* data;
};
void g_mutex_lock(GMutex*);
void g_mutex_unlock(GMutex*);
typedef unsigned long uv_thread_t;
int uv_thread_create(uv_thread_t*, void (*)(void*), void*);
int uv_thread_join(uv_thread_t*);
}

namespace {

QMutex of_qt;
QMutex tried;
absl::Mutex of_absl;
GMutex of_glib;
int value;

void run(void*) {
    MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        {
            QMutexLocker locker(&of_qt);
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
#pragma omp barrier
        if (tried.tryLock()) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            tried.unlock();
        }
#pragma omp barrier
        {
            absl::MutexLock locker(&of_absl);
            MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
#pragma omp barrier
        g_mutex_lock(&of_glib);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        g_mutex_unlock(&of_glib);
    }
    uv_thread_t thread;
    uv_thread_create(&thread, run, nullptr);
    uv_thread_join(&thread);
    MPI_Finalize();
}
