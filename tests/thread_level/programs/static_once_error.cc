/* A thread that the constructor of a static variable starts runs beside its maker; a variable that
   is not static is another one each time.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <thread>

namespace {

int value;

struct Server {
    Server() : thread([] { MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }) {} /* expect: mpi-thread-level */
    ~Server() { thread.join(); }
    void ask() { MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); }
    std::thread thread;
};

Server& server() {
    static Server only;
    return only;
}

struct World {
    World() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); } /* expect: mpi-concurrent-collectives */
    MPI_Comm comm;
};

int size() {
    World mine;
    return mine.comm == MPI_COMM_NULL ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    value += size();
    server().ask();
    server().thread.join();
    MPI_Finalize();
}
