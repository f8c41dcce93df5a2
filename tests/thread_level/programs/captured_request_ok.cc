// Requests of main() that lambdas refer to: one thread after the other, or each its own.
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
    MPI_Request other;
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Irecv(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &other);
    std::thread progress([&] { MPI_Wait(&other, MPI_STATUS_IGNORE); });
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    progress.join();
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i) {
        MPI_Request mine;
        MPI_Irecv(&in, 1, MPI_INT, 0, i, MPI_COMM_SELF, &mine);
        std::thread receiver([&mine] { MPI_Wait(&mine, MPI_STATUS_IGNORE); });
        MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        receiver.join();
    }
    MPI_Finalize();
}
