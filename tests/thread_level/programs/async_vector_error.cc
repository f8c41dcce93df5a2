// Threads of a loop, whose futures a container keeps.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <future>
#include <thread>
#include <vector>
int value;
static void send(int tag) { MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF); }  // expect: mpi-thread-level
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::vector<std::future<void>> all;
    for (int i = 0; i < 4; ++i) all.push_back(std::async(std::launch::async, send, i));
    for (auto& f : all) f.get();
    MPI_Finalize();
}
