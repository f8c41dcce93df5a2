/* Threads wait for elements of their own of a container, and meet one after the other.
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
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

void finish_other() {
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

void meet() {
    MPI_Barrier(comms[1]);
}

void meet_others() {
    MPI_Barrier(comms[0]);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Irecv(&values[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    {
        std::thread one(finish), two(finish_other);
        one.join();
        two.join();
    }
    std::thread one(meet);
    one.join();
    std::thread two(meet_others);
    two.join();
    MPI_Finalize();
}
