// What a thread starts with is no manipulator of streams, and no function that gets an object by
// reference or by another pointer: calls through pointers to such do not come to it.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <pthread.h>

#include <iostream>

struct Cell {
    long value;
    Cell* next;
};
Cell& grow(Cell& cell) {
    ++cell.value;
    return cell;
}
Cell* follow(Cell* cell) {
    return cell->next;
}
struct Steps {
    Cell& (*change)(Cell&);
    Cell* (*advance)(Cell*);
};

void* exchange(void* sum) {
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return nullptr;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    Steps steps = {argc > 1 ? grow : nullptr, argc > 2 ? follow : nullptr};
    Cell cell = {1, nullptr};
    pthread_t thread;
    pthread_create(&thread, nullptr, exchange, &cell.value);
    std::cout << "started" << std::endl;
    if (steps.advance != nullptr) steps.advance(&cell);
    pthread_join(thread, nullptr);
#pragma omp parallel
    {
        Cell own = {2, nullptr};
        if (steps.change != nullptr) steps.change(own);
        std::cout << own.value << std::endl;
    }
    MPI_Finalize();
}
