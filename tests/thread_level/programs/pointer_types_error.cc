// Calls through pointers of the right type, also to a member of a derived class.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

struct Base {
    int rank = 0;
    virtual ~Base() = default;
};
struct Derived : Base {
    void size() { MPI_Comm_size(MPI_COMM_WORLD, &rank); }  // expect: mpi-thread-level
};
using Member = void (Base::*)();

Base* create(Base& base) {
    MPI_Comm_rank(MPI_COMM_WORLD, &base.rank);  // expect: mpi-thread-level
    return &base;
}
struct Factory {
    Base* (*make)(Base&);
};
Factory factory = {create};

__attribute__((noinline)) void call(Base& base, Member member) {
    (base.*member)();
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    Derived derived;
#pragma omp parallel
    {
        factory.make(derived);
        call(derived, static_cast<Member>(&Derived::size));
    }
    MPI_Finalize();
}
