/* A thread that starts with a pointer to a member function executes that one, not another with the
   same parameters.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>

#include <thread>

namespace {

int value;

class Worker {
public:
    virtual ~Worker() { MPI_Barrier(MPI_COMM_SELF); }
    virtual void tell() { MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); }
    void start() { thread_ = std::thread(&Worker::work, this); }  // expect: mpi-strict-single
    void stop() { thread_.join(); }

private:
    void work() { ++value; }

    std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        Worker worker;
        worker.start();
        worker.stop();
        worker.tell();
    }
    MPI_Finalize();
}
