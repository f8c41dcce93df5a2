// Each thread that a loop starts is handed a communicator of its own, by value, or the threads that
// get MPI_COMM_WORLD come one after the other.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

struct Part {
    MPI_Comm comm = MPI_COMM_NULL;
    double sum = 0;
};

void add_up(Part* part) {
    MPI_Allreduce(MPI_IN_PLACE, &part->sum, 1, MPI_DOUBLE, MPI_SUM, part->comm);
}

void probe(MPI_Comm comm, int tag) {
    int flag = 0;
    MPI_Iprobe(0, tag, comm, &flag, MPI_STATUS_IGNORE);
}

void meet(MPI_Comm comm) { MPI_Barrier(comm); }

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    std::vector<Part> parts(3);
    for (Part& part : parts) MPI_Comm_dup(MPI_COMM_WORLD, &part.comm);
    std::vector<std::thread> threads;
    for (Part& part : parts) threads.emplace_back(add_up, &part);
    join(threads);
    for (int i = 0; i < 3; ++i) threads.emplace_back(probe, MPI_COMM_WORLD, i);
    join(threads);
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back(meet, MPI_COMM_WORLD);
        join(threads);
    }
    for (int i = 0; i < 3; ++i) {
        std::thread meeting(meet, MPI_COMM_WORLD);
        meeting.join();
    }
    MPI_Finalize();
}
