// What a call through a pointer may mean depends on what its arguments point to: a manipulator of
// streams is no factory.
// required: MPI_THREAD_SINGLE
#include <mpi.h>

#include <iostream>

struct Key {
    int value;
};
struct Base {
    int rank;
};
Base* create(const Key& key) {
    Base* base = new Base;
    MPI_Comm_rank(MPI_COMM_WORLD, &base->rank);
    base->rank += key.value;
    return base;
}
struct Factory {
    Base* (*make)(const Key&);
};
Factory factory = {create};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    if (provided < MPI_THREAD_SINGLE) MPI_Abort(MPI_COMM_WORLD, 1);
    Base* base = factory.make(Key{1});
#pragma omp parallel  // expect: mpi-strict-single
    std::cout << base->rank << std::endl;
    MPI_Finalize();
}
