// The same on the heap, where a class is a member of another one, too.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <mutex>
namespace {
int value;
class Part {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
private:
    std::mutex mutex_;
};
struct Whole { Part part; int more = 0; };
}
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Part* first = new Part;
    Whole* second = new Whole;
#pragma omp parallel sections
    {
#pragma omp section
        first->send(1);
#pragma omp section
        second->part.send(2);
    }
    MPI_Finalize();
}
