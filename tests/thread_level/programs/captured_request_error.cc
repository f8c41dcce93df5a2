// A request and a window of main() that a lambda refers to are used by two threads at a time.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <thread>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    int in = 0;
    int out = 1;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    std::thread progress([&] {
        int done = 0;
        while (done == 0)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
    });
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    progress.join();
    MPI_Win window;
    MPI_Win_create(&in, sizeof in, sizeof in, MPI_INFO_NULL, MPI_COMM_SELF, &window);
    MPI_Win_fence(0, window);
    std::thread putting([&window, &out] {
        MPI_Put(&out, 1, MPI_INT, 0, 0, 1, MPI_INT, window);  // expect: mpi-concurrent-request
    });
    MPI_Win_fence(0, window);
    putting.join();
    MPI_Win_free(&window);
    MPI_Finalize();
}
