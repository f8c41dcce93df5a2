/* A thread that starts with a pointer to a member function, a virtual one or not, that calls MPI.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>

namespace {

int value;

class Worker {
public:
    virtual ~Worker() = default;
    virtual void tell() { MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); } /* expect: mpi-thread-level */
    void start(bool tells) {
        if (tells)
            thread_ = std::thread(&Worker::tell, this);  // expect: mpi-strict-single
        else
            thread_ = std::thread(&Worker::work, this);
    }
    void stop() { thread_.join(); }

private:
    void work() { MPI_Barrier(MPI_COMM_SELF); } /* expect: mpi-thread-level */

    std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Worker worker;
    worker.start(argc > 1);
    worker.stop();
    MPI_Finalize();
}
