/* Threads that start with bound calls, with wrappers of member functions, and with references.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <functional>
#include <thread>

namespace {

struct Sender {
    int value = 0;

    void bound() {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    }
    void wrapped() {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
    void operator()() {
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    }
};

void with_number(Sender* sender, int tag) {
    MPI_Send(&sender->value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

struct Task {
    int value = 0;
    virtual ~Task() = default;
    virtual void operator()() = 0;
};

struct Probe final : Task {
    void operator()() override {
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &value, MPI_STATUS_IGNORE);
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Sender sender;
    std::thread(std::bind(&Sender::bound, &sender)).join();
    std::thread(std::mem_fn(&Sender::wrapped), &sender).join();
    std::thread(std::ref(sender)).join();
    std::thread(std::bind(with_number, std::placeholders::_1, 3), &sender).join();
    Probe probe;
    Task& task = probe;
    std::thread(std::ref(task)).join();
    MPI_Finalize();
}
