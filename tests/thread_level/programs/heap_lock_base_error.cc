// Objects of a class that inherits its lock, made in a loop.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <mutex>
namespace {
int value;
class Base {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-conditional-lock
    }
private:
    std::mutex mutex_;
};
class Derived : public Base { int more = 0; };
Derived* all[2];
}
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 2; ++i) all[i] = new Derived;
#pragma omp parallel for
    for (int i = 0; i < 2; ++i) all[i]->send(1);
    MPI_Finalize();
}
