// required: MPI_THREAD_MULTIPLE
// What MPI_Initialized has said is still so when MPI has been initialized since: the process ends
// MPI itself, while its thread still receives.
#include <pthread.h>

#include <mpi.h>

namespace {

void* receive(void*) {
    int x = 0;
    MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-finalize
    return nullptr;
}

}  // namespace

int main() {
    int was_there = 0;
    MPI_Initialized(&was_there);
    if (!was_there) {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
    }
    pthread_t thread;
    pthread_create(&thread, nullptr, receive, nullptr);
    int x = 1;
    MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    if (!was_there) MPI_Finalize();
    pthread_join(thread, nullptr);
}
