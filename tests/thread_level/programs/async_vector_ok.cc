// A thread whose future a container keeps, waited for before others call.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <future>
#include <thread>
#include <vector>
int value;
static void send(int tag) { MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF); }
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::vector<std::future<void>> all;
    all.push_back(std::async(std::launch::async, send, 1));
    for (auto& f : all) f.get();
    send(2);
    MPI_Finalize();
}
