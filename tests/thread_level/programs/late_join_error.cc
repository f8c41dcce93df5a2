/* Destructors that call MPI before they join.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <memory>
#include <thread>

namespace {

void ask() {
    MPI_Ssend(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

class Answering {
public:
    Answering() : thread_([] {
        MPI_Recv(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    }) {}
    ~Answering() {
        MPI_Ssend(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
        if (thread_.joinable()) thread_.join();
    }

private:
    std::thread thread_;
};

class Listening {
public:
    void start() {
        thread_ = std::thread([] {
            MPI_Recv(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        });
    }
    ~Listening() {
        ask();
        thread_.join();
    }

private:
    std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Answering answering;
    }
    {
        const auto listening = std::make_unique<Listening>();
        listening->start();
    }
    MPI_Finalize();
}
