// Lambdas have copies of another request each, or set theirs themselves.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>
#include <vector>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    int in[3] = {0, 0, 0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        MPI_Request request;
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &request);
        threads.emplace_back([request]() mutable { MPI_Wait(&request, MPI_STATUS_IGNORE); });
    }
    for (std::thread& thread : threads)
        thread.join();
    threads.clear();
    MPI_Request old;
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &old);
    MPI_Wait(&old, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([old, i, &in]() mutable {
            MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &old);
            MPI_Wait(&old, MPI_STATUS_IGNORE);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    MPI_Request last;
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &last);
    std::thread only([last]() mutable { MPI_Wait(&last, MPI_STATUS_IGNORE); });
    only.join();
    MPI_Finalize();
}
