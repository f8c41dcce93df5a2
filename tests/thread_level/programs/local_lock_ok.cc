// A lock of a function that only main() calls, to which the structures of its threads point.
// required: MPI_THREAD_SERIALIZED
#include <pthread.h>

#include <mutex>
#include <thread>
#include <vector>

#include <mpi.h>

namespace {

struct Argument {
    pthread_mutex_t* lock;
    int id;
};

void* work(void* pointer) {
    Argument* argument = static_cast<Argument*>(pointer);
    pthread_mutex_lock(argument->lock);
    MPI_Send(&argument->id, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(argument->lock);
    return nullptr;
}

void run_posix(int count) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, nullptr);
    std::vector<pthread_t> threads(count);
    std::vector<Argument> arguments(count);
    for (int i = 0; i < count; ++i) {
        arguments[i].lock = &lock;
        arguments[i].id = i;
        pthread_create(&threads[i], nullptr, work, &arguments[i]);
    }
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], nullptr);
    pthread_mutex_destroy(&lock);
}

class Sender {
public:
    explicit Sender(std::mutex& lock) : lock_(lock) {}
    void run() {
        const std::lock_guard<std::mutex> guard(lock_);
        int value = 0;
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }

private:
    std::mutex& lock_;
};

void run_own(int count) {
    std::mutex lock;
    Sender sender(lock);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back(&Sender::run, &sender);
    for (std::thread& thread : threads)
        thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    run_posix(4);
    run_own(4);
    MPI_Finalize();
}
