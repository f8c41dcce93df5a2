// The method that tells of the provided level asks for too little. required: MPI_THREAD_MULTIPLE
#include <thread>

#include <mpi.h>

namespace {

enum class Support { Serialized, Multiple };

class Net {
public:
    void start(int* argc, char*** argv) {
        MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided_);
        if (provided_ < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    Support support() const {
        if (provided_ >= MPI_THREAD_SERIALIZED) return Support::Multiple;
        return Support::Serialized;
    }

private:
    int provided_ = MPI_THREAD_SINGLE;
};

Net net;
volatile bool goes_on = true;

void receive() {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
}

void communicate() {
    switch (net.support()) {
        case Support::Multiple: {
            std::thread receiver([] {
                while (goes_on) receive();
            });
            MPI_Barrier(MPI_COMM_WORLD);
            goes_on = false;
            receiver.join();
            break;
        }
        case Support::Serialized:
            receive();
            MPI_Barrier(MPI_COMM_WORLD);
            break;
    }
}

}  // namespace

int main(int argc, char** argv) {
    net.start(&argc, &argv);
    communicate();
    MPI_Finalize();
}
