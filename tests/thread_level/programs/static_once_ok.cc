/* What makes a static variable of a function is executed once, by one thread: also if it starts a
   thread, and whoever asks for the variable.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>

namespace {

int value;

struct Server {
    Server() : thread([] { MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); }) {}
    void ask() {}
    void stop() { thread.join(); }
    std::thread thread;
};

Server& server() {
    static Server only;
    return only;
}

struct World {
    World() { MPI_Comm_dup(MPI_COMM_SELF, &comm); }
    MPI_Comm comm;
};

World& world() {
    static World only;
    return only;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    value += world().comm == MPI_COMM_NULL;
    for (int i = 0; i < argc; ++i)
        server().ask();
    server().stop();
    MPI_Finalize();
}
