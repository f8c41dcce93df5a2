// The number of the thread, by references and pointers through which it can't be written.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

static void exchange(const int& thread) {
    if (thread == 0) MPI_Barrier(MPI_COMM_WORLD);
}

static void step(const int& thread) { exchange(thread); }

template <class Number>
static void send(const Number& thread, const bool& is_on) {
    int value = 1;
    if (is_on && thread == 0) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void receive(const int* thread) {
    int value = 0;
    if (*thread != 0) return;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    const auto finish = [](const auto& thread) {
        if (thread == 0) MPI_Barrier(MPI_COMM_WORLD);
    };
    const bool is_on = argc > 1;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        step(thread);
        send(thread, is_on);
        receive(&thread);
        finish(thread);
    }
    MPI_Finalize();
}
