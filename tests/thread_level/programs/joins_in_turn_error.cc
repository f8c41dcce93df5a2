/* The join of one thread says nothing of another one, whatever is asked before, and a condition
   says nothing of a thread that is there in any case.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#include <thread>

namespace {

void serve() {
    MPI_Recv(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

void* serve_on(void*) {
    MPI_Recv(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level mpi-finalize */
    return nullptr;
}

void compute() {}

void joined_too_late() {
    std::thread server(serve);
    std::thread worker(compute);
    if (worker.joinable()) worker.join();
    MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
    if (server.joinable()) server.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    joined_too_late();
    pthread_t server;
    pthread_create(&server, nullptr, serve_on, nullptr);
    std::thread worker(compute);
    if (argc > 1) {
        MPI_Barrier(MPI_COMM_SELF);
        pthread_join(server, nullptr);
    }
    worker.join();
    MPI_Finalize();
}
