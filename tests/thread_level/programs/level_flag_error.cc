// Twin of level_flag_ok.cc: the flags say something else, or the wrong way is locked.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>
#include <thread>

namespace {

std::mutex lock;
bool is_serialized;
bool is_wanted;
bool is_multiple;
int is_serial = 0;

struct Settings {
    bool is_multiple = false;
};
Settings settings;

void below() {
    if (is_serialized) {
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    } else {
        std::lock_guard<std::mutex> guard(lock);
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

void other() {
    if (is_wanted) {
        MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
    } else {
        std::lock_guard<std::mutex> guard(lock);
        MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

void inverse() {
    if (is_multiple) {
        std::lock_guard<std::mutex> guard(lock);
        MPI_Send(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        MPI_Send(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
}

void set() {
    if (settings.is_multiple)
        MPI_Send(nullptr, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

void unknown() {
    if (!is_serial) MPI_Send(nullptr, 0, MPI_INT, 0, 4, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

void work() {
    below();
    other();
    inverse();
    set();
    unknown();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    is_serialized = provided >= MPI_THREAD_SERIALIZED;
    is_wanted = argc > 1;
    is_multiple = provided >= MPI_THREAD_MULTIPLE;
    settings.is_multiple = provided >= MPI_THREAD_MULTIPLE;
    if (argc > 2) settings.is_multiple = true;
    if (argc > 3) is_serial = 1;
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    MPI_Finalize();
}
