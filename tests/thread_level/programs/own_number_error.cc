// A thread_local variable that two functions write, of which one is called behind the other; and one
// that is the same for all threads.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

thread_local int own_number = 0;
thread_local int own_part = 0;

void restart(int number) {
    own_number = number;
}

void work(int number, int first) {
    own_number = number;
    restart(first);
    if (own_number == 1)
        MPI_Send(&number, 1, MPI_INT, 0, number, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

void add_up() {
    if (own_part == 2)
        MPI_Send(&own_part, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work, i, argc);
    for (std::thread& thread : threads)
        thread.join();
    threads.clear();
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([argc] {
            own_part = argc;
            add_up();
        });
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
