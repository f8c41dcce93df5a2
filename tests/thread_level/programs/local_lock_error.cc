// As local_lock_ok.cc, but each thread of a team calls the function, with a lock of its own.
// required: MPI_THREAD_MULTIPLE
#include <pthread.h>

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
    MPI_Send(&argument->id, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    pthread_mutex_unlock(argument->lock);
    return nullptr;
}

void run(int count) {
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

}  // namespace

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(2)
    run(2);
    MPI_Finalize();
}
