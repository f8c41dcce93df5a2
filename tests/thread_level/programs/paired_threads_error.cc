/* Threads in containers of pairs and in maps, of which others are joined.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace {

void work() {}

void send(int to) {
    MPI_Send(&to, 1, MPI_INT, 0, to, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

void receive(int from) {
    MPI_Recv(&from, 1, MPI_INT, 0, from, MPI_COMM_WORLD, /* expect: mpi-thread-level */
             MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::map<int, std::thread> by_number;
    std::map<int, std::thread> others;
    by_number.emplace(1, std::thread(send, 1));
    others.emplace(1, std::thread(work));
    for (auto& each : others)
        each.second.join();
    MPI_Barrier(MPI_COMM_WORLD);
    for (auto& each : by_number)
        each.second.join();
    std::vector<std::pair<int, std::thread>> pairs;
    std::vector<std::pair<int, std::thread>> more;
    pairs.emplace_back(2, std::thread(receive, 2));
    more.emplace_back(2, std::thread(work));
    for (auto& [number, thread] : more)
        thread.join();
    MPI_Barrier(MPI_COMM_WORLD);
    for (auto& [number, thread] : pairs)
        thread.join();
    MPI_Finalize();
    return 0;
}
