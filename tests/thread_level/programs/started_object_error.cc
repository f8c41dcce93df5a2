// All threads that a loop starts are handed one object with a request and a communicator, or one
// such handle: as the object of a member function, by address, or by reference.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <functional>
#include <thread>
#include <vector>

namespace {

struct Exchange {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    void run() {
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
        MPI_Barrier(comm);                      // expect: mpi-concurrent-collectives
    }
};

void wait_for(MPI_Request* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
}

void test(MPI_Request& request) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
}

void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    Exchange exchange;
    MPI_Comm_dup(MPI_COMM_WORLD, &exchange.comm);
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(&Exchange::run, &exchange);
    join(threads);
    for (int i = 0; i < 3; ++i) threads.emplace_back(wait_for, &request);
    join(threads);
    for (int i = 0; i < 3; ++i) threads.push_back(std::thread(test, std::ref(request)));
    join(threads);
    auto body = [](MPI_Request* of_all) {
        MPI_Wait(of_all, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
    };
    for (int i = 0; i < 3; ++i) threads.emplace_back(body, &request);
    join(threads);
    MPI_Comm_free(&exchange.comm);
    MPI_Finalize();
}
