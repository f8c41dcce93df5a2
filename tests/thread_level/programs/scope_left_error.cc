/* A scope with a lock that is left early, or at its end, in front of the call: nobody has the lock
   there. And a template that is instantiated for others.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex mutex;
int rest = 10;

void send_next(int number) {
    {
        const std::lock_guard<std::mutex> lock(mutex);
        if (rest == 0) return;
        --rest;
    }
    MPI_Send(&number, 1, MPI_INT, 0, number, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

}  // namespace

template <class Number>
struct Sender {
    void send(Number number);
};

template <class Number>
void Sender<Number>::send(Number number) {
#pragma omp parallel
    MPI_Send(&number, 1, MPI_INT, 0, 100, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

template struct Sender<int>;

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for
    for (int i = 0; i < 20; ++i) send_next(i);
    MPI_Finalize();
}
