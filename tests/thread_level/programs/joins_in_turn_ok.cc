/* One thread is joined if it is there, and then another one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#include <thread>

namespace {

void serve() {
    MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void send(int tag) {
    MPI_Send(nullptr, 0, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

void ask() {
    send(1);
}

void* ask_by_number(void*) {
    ask();
    return nullptr;
}

void each_if_joinable() {
    std::thread server(serve);
    std::thread asking(ask);
    if (server.joinable()) server.join();
    if (asking.joinable()) asking.join();
}

void one_of_rank(int rank) {
    std::thread server;
    if (rank == 0) server = std::thread(serve);
    pthread_t asking;
    pthread_create(&asking, nullptr, ask_by_number, nullptr);
    if (rank == 0) server.join();
    pthread_join(asking, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    each_if_joinable();
    one_of_rank(rank);
    std::thread last;
    if (rank == 1) last = std::thread(serve);
    std::thread other(ask);
    if (rank == 1) {
        send(2);
        last.join();
    }
    other.join();
    MPI_Finalize();
}
