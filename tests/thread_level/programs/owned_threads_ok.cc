// Objects that start a thread, and join it when they are destroyed, in a container of owners: one after the other.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <memory>
#include <thread>
#include <vector>

namespace {

void send() {
    MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
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
    for (int i = 0; i < 4; ++i) {
        std::vector<std::unique_ptr<Sender>> senders;
        senders.push_back(std::make_unique<Sender>());
    }
    MPI_Finalize();
    return 0;
}
