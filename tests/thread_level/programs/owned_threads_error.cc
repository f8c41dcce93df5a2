// Objects that start a thread, and join it when they are destroyed, in a container of owners: all at a time, though the container grows.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <memory>
#include <thread>
#include <vector>

namespace {

void send() {
    MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

class Sender {
public:
    Sender() : thread_(send) {}
    ~Sender() { thread_.join(); }

private:
    std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<std::unique_ptr<Sender>> senders;
    for (int i = 0; i < 4; ++i)
        senders.push_back(std::make_unique<Sender>());
    senders.clear();
    MPI_Finalize();
    return 0;
}
