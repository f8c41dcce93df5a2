// Two static objects with locks, whose destructors the program registers: which of them a guard
// refers to is not known here, and a note says so.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <pthread.h>

class Mutex {
public:
    Mutex() { pthread_mutex_init(&mutex_, nullptr); }
    ~Mutex() { pthread_mutex_destroy(&mutex_); }
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_;
};

class Guard {
public:
    explicit Guard(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
    ~Guard() { mutex_.unlock(); }

private:
    Mutex& mutex_;
};

static Mutex sending;
static Mutex receiving;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        {
            int value = 0;
            Guard hold(sending);
            MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        }
#pragma omp section
        {
            int value = 0;
            Guard hold(receiving);
            MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // expect: mpi-conditional-lock
        }
    }
    MPI_Finalize();
}
