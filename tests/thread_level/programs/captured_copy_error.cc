// Lambdas, one for each thread, have copies of one request of main().
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>
#include <vector>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    int in = 0;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([request]() mutable {
            MPI_Wait(&request, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
        });
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
