// Each thread that a loop starts gets another object or handle, or a copy, or threads that get the
// same one come one after the other.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Exchange {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    void run() {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(comm);
    }
};

void wait_for(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }
void wait_for_it(MPI_Request& request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
void wait_for_copy(MPI_Request request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

// Each thread of a team has a request of its own.
void wait_beside() {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::thread> threads;
    threads.emplace_back(wait_for, &request);
    join(threads);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int in[3] = {};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    Exchange exchanges[3];
    std::vector<std::unique_ptr<Exchange>> owned;
    for (Exchange& exchange : exchanges) {
        MPI_Comm_dup(MPI_COMM_WORLD, &exchange.comm);
        owned.push_back(std::make_unique<Exchange>(exchange));
    }
    std::vector<MPI_Request> requests(3, MPI_REQUEST_NULL);
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(&Exchange::run, &exchanges[i]);
    join(threads);
    for (Exchange& exchange : exchanges) threads.emplace_back(&Exchange::run, &exchange);
    join(threads);
    for (auto& exchange : owned) threads.emplace_back(&Exchange::run, exchange.get());
    join(threads);
    for (int i = 0; i < 3; ++i) threads.emplace_back(wait_for, &requests[i]);
    join(threads);
    for (MPI_Request& each : requests) threads.emplace_back(wait_for_it, std::ref(each));
    join(threads);
    for (int i = 0; i < 3; ++i) {
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
        threads.emplace_back(wait_for_copy, request);
    }
    join(threads);
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back(wait_for, &request);
        join(threads);
    }
    for (int i = 0; i < 3; ++i) {
        MPI_Request mine = MPI_REQUEST_NULL;
        std::thread waiting(wait_for, &mine);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        waiting.join();
    }
#pragma omp parallel
    wait_beside();
    MPI_Finalize();
}
