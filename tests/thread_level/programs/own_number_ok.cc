// Threads of the C++ library that keep their number in a thread_local variable.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

thread_local int own_number = 0;
thread_local int own_part = 0;

void synchronize() {
    if (own_number == 1) MPI_Barrier(MPI_COMM_WORLD);
}

void work(int number) {
    own_number = number;
    synchronize();
}

void add_up() {
    if (own_part != 2) return;
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work, i);
    for (std::thread& thread : threads)
        thread.join();
    threads.clear();
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([i] {
            own_part = i;
            add_up();
        });
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
