// Flags that say which thread level is provided decide whether a lock is taken.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::mutex lock;
bool is_multiple;
int is_serial = 0;
bool needs_lock = true;
int level;

struct Settings {
    bool is_multiple = false;
    int level = 0;
    bool allows_all() const { return level >= MPI_THREAD_MULTIPLE; }
};
Settings settings;

bool may_all() {
    return level >= MPI_THREAD_MULTIPLE;
}

void send(int tag) {
    MPI_Send(nullptr, 0, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

void work() {
    if (is_multiple) {
        send(0);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        send(0);
    }
    if (!is_serial) {
        send(1);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        send(1);
    }
    if (needs_lock) {
        std::lock_guard<std::mutex> guard(lock);
        send(2);
    } else {
        send(2);
    }
    if (settings.is_multiple) {
        send(3);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        send(3);
    }
    if (settings.allows_all()) {
        send(4);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        send(4);
    }
    if (may_all()) {
        send(5);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        send(5);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    is_multiple = provided == MPI_THREAD_MULTIPLE;
    is_serial = provided == MPI_THREAD_SERIALIZED;
    if (provided >= MPI_THREAD_MULTIPLE) needs_lock = false;
    settings.is_multiple = is_multiple;
    settings.level = provided;
    level = provided;
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    MPI_Finalize();
}
