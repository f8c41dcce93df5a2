// A class that another one inherits from, with an object of each.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <mutex>
namespace {
int value;
class Base {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
private:
    std::mutex mutex_;
};
class Derived : public Base { int more = 0; };
}
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Base first;
    Derived second;
#pragma omp parallel sections
    {
#pragma omp section
        first.send(1);
#pragma omp section
        second.send(2);
    }
    MPI_Finalize();
}
