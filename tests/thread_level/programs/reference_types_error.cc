// Calls through pointers: of a function that gets a reference, of one that gets void*, and of one
// that is cast to such a type.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

struct Cell {
    int value;
};
Cell& locate(Cell& cell) {
    MPI_Comm_rank(MPI_COMM_WORLD, &cell.value);  // expect: mpi-thread-level
    return cell;
}
void* measure(void* cell) {
    MPI_Comm_size(MPI_COMM_WORLD, &static_cast<Cell*>(cell)->value);  // expect: mpi-thread-level
    return cell;
}
void* ask(Cell* cell) {
    int flag;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    return cell;
}
using Work = void* (*)(void*);
struct Steps {
    Cell& (*change)(Cell&);
    Work work[2];
};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    Steps steps = {locate, {measure, reinterpret_cast<Work>(ask)}};
#pragma omp parallel
    {
        Cell own = {0};
        steps.change(own);
        steps.work[own.value % 2](&own);
    }
    MPI_Finalize();
}
