// Lambdas with communicators that nobody else uses at that time.
// required: MPI_THREAD_MULTIPLE
#include <thread>

#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm left = MPI_COMM_NULL;
    MPI_Comm right = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &left);
    MPI_Comm_dup(MPI_COMM_WORLD, &right);
    MPI_Barrier(left);
    std::thread thread([&] { MPI_Barrier(left); });
    std::thread other([right] { MPI_Barrier(right); });
    MPI_Barrier(MPI_COMM_WORLD);
    thread.join();
    other.join();
    MPI_Barrier(left);
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
    MPI_Finalize();
}
