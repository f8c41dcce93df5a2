// As outer_lock_ok.cc, but several threads at a time call the functions.
// required: MPI_THREAD_MULTIPLE
// file: threads.cc
#include <mpi.h>

#include <mutex>
#include <thread>
#include <vector>

#include "all.h"

struct Data {
    int id;
    std::mutex* lock;
};
static void run(Data* data) {
    int size;
    std::lock_guard<std::mutex> guard(*data->lock);
    MPI_Comm_size(MPI_COMM_WORLD, &size);  // expect: mpi-thread-level
}
void in_vector() {
    std::mutex mutex;
    std::vector<Data> all(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        all[i].id = i;
        all[i].lock = &mutex;
        threads.emplace_back(run, &all[i]);
    }
    for (auto& thread : threads) thread.join();
}

class Sender {
public:
    explicit Sender(std::mutex& mutex) : mutex_(mutex) {}
    void operator()() {
        int value = 1;
        std::lock_guard<std::mutex> guard(mutex_);
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }

private:
    std::mutex& mutex_;
};
void in_object() {
    std::mutex mutex;
    std::thread first{Sender(mutex)};
    std::thread second{Sender(mutex)};
    first.join();
    second.join();
}
// file: all.h
void in_vector();
void in_object();
// file: main.cc
#include <mpi.h>

#include <thread>

#include "all.h"

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread first(in_vector);
    std::thread second(in_vector);
    first.join();
    second.join();
#pragma omp parallel
    in_object();
    MPI_Finalize();
    return 0;
}
