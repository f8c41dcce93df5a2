/* Two threads wait for one element of a container, or send in one communicator that is an element.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <array>
#include <thread>
#include <vector>

namespace {

std::vector<MPI_Request> requests(2);
std::array<MPI_Comm, 2> comms;
int values[2];

void finish() {
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

void meet() {
    MPI_Barrier(comms[1]); /* expect: mpi-concurrent-collectives */
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Irecv(&values[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    {
        std::thread one(finish), two(finish);
        one.join();
        two.join();
    }
    std::thread one(meet), two(meet);
    one.join();
    two.join();
    MPI_Finalize();
}
