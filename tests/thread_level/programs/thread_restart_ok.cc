/* A member joins the thread that it has started before, and starts the next one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>

namespace {

class Scheduler {
public:
    void send() {
        if (worker_.joinable()) worker_.join();
        worker_ = std::thread(&Scheduler::work, this);
    }
    void finish() {
        if (worker_.joinable()) worker_.join();
    }

private:
    void work() {
        int value = 0;
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    }
    std::thread worker_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Scheduler scheduler;
    for (int i = 0; i < 3; ++i)
        scheduler.send();
    scheduler.finish();
    MPI_Finalize();
}
