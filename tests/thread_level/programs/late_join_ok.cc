/* Destructors that join before they call MPI, of objects on the heap, too.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <memory>
#include <thread>

namespace {

void ask(int tag) {
    MPI_Ssend(nullptr, 0, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_SELF);
}

void answer(int tag) {
    MPI_Recv(nullptr, 0, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

class Answering {
public:
    Answering() : thread_([] { answer(1); }) {}
    ~Answering() {
        if (thread_.joinable()) thread_.join();
        ask(1);
    }

private:
    std::thread thread_;
};

class Finalizing {
public:
    Finalizing() : thread_([] { answer(2); }) {}
    ~Finalizing() {
        thread_.join();
        MPI_Finalize();
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
        const auto answering = std::make_unique<Answering>();
    }
    auto* answering = new Answering;
    delete answering;
    const Finalizing finalizing;
}
