// Only the thread whose identity the main one has kept calls MPI.
// required: MPI_THREAD_SINGLE
#include <mpi.h>

#include <thread>

namespace {

std::thread::id main_id;
const std::thread::id first_id = std::this_thread::get_id();

class Communicator {
public:
    Communicator(int* argc, char*** argv) {
        int provided = 0;
        MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
        owner_ = std::this_thread::get_id();
    }
    ~Communicator() { MPI_Finalize(); }
    bool is_owner() const { return std::this_thread::get_id() == owner_; }

private:
    std::thread::id owner_;
};

bool is_main() { return std::this_thread::get_id() == main_id; }

void send(int value) { MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); }

void work(const Communicator& communicator) {
    if (is_main()) send(1);
    if (communicator.is_owner()) send(2);
    if (std::this_thread::get_id() != first_id) return;
    send(3);
}

}  // namespace

int main(int argc, char** argv) {
    main_id = std::this_thread::get_id();
    Communicator communicator(&argc, &argv);
    const auto own = std::this_thread::get_id();
    std::thread first([&] { work(communicator); });
    std::thread second([own] {
        if (std::this_thread::get_id() == own) send(4);
    });
    work(communicator);
    first.join();
    second.join();
    return 0;
}
