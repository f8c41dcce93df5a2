/* The variable that a std::jthread is moved from has nothing to join.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <thread>
#include <vector>

namespace {

void send(int tag) { MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); } /* expect: mpi-thread-level */

void tell(int tag) { MPI_Ssend(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); } /* expect: mpi-thread-level */

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        std::vector<std::jthread> threads;
        threads.push_back(std::jthread(send, 1));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    {
        std::jthread thread;
        thread = std::jthread(tell, 2);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
