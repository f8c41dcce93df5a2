/* Two threads with one object, and its mutex.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <functional>
#include <mutex>
#include <thread>

namespace {

class Mailbox {
public:
    void put(int value) {
        const std::lock_guard<std::mutex> hold(mutex_);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }

private:
    std::mutex mutex_;
};

void work(Mailbox& mailbox, int value) {
    mailbox.put(value);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Mailbox first;
    std::thread one(work, std::ref(first), 1);
    std::thread other(work, std::ref(first), 2);
    one.join();
    other.join();
    MPI_Finalize();
}
