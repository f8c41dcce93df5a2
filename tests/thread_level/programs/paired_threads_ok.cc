/* Threads in containers of pairs, in maps, and behind shared pointers, all of which are joined.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

void send(int to) {
    MPI_Send(&to, 1, MPI_INT, 0, to, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::map<int, std::thread> by_number;
    by_number.emplace(1, std::thread(send, 1));
    for (auto& each : by_number)
        each.second.join();
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<std::pair<int, std::thread>> pairs;
    pairs.emplace_back(2, std::thread(send, 2));
    for (auto& [number, thread] : pairs)
        thread.join();
    MPI_Barrier(MPI_COMM_WORLD);
    const auto shared = std::make_shared<std::thread>(send, 3);
    shared->join();
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<std::shared_ptr<std::thread>> pointers;
    pointers.push_back(std::make_shared<std::thread>(send, 4));
    for (const auto& each : pointers)
        each->join();
    MPI_Finalize();
    return 0;
}
