/* A member says whether the thread is there: it is started once, until it is joined.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>

namespace {

class Scheduler {
public:
    void run() {
        if (!running_) {
            receiver_ = std::thread([this] { receive(); });
            running_ = true;
        }
    }
    void finish() {
        if (running_) {
            receiver_.join();
            running_ = false;
        }
    }

private:
    void receive() {
        int value = 0;
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    bool running_ = false;
    std::thread receiver_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Scheduler scheduler;
    for (int i = 0; i < 3; ++i)
        scheduler.run();
    scheduler.finish();
    MPI_Finalize();
}
