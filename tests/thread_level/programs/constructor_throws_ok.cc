/* Where a constructor throws that has started a thread, that is destroyed with the other members:
   it has been joined, or the process has ended. Behind the "catch" there is none.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <stdexcept>
#include <thread>

namespace {

class World {
public:
    World(int* argc, char*** argv) {
        int provided = 0;
        MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
        if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ~World() { MPI_Finalize(); }
};

class Inbox {
public:
    explicit Inbox(int size) : reader_([] {
        int value = 0;
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }) {
        if (size < 0) {
            reader_.join();
            throw std::runtime_error("no size");
        }
    }
    ~Inbox() {
        if (reader_.joinable()) reader_.join();
    }

private:
    std::thread reader_;
};

}  // namespace

int main(int argc, char** argv) {
    World world(&argc, &argv);
    try {
        Inbox inbox(argc - 2);
        if (argc > 5) throw std::runtime_error("too many");
    } catch (const std::exception&) {
        return 1;
    }
}
