/* Two of the threads that the program numbers call MPI.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

void work(int id, int* value) {
    if (id == 0) MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    if (id == 1) MPI_Recv(value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    int value = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work, i, &value);
    join(threads);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([i, &value] {
            if (i != 2) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
        });
    }
    join(threads);
    MPI_Finalize();
}
