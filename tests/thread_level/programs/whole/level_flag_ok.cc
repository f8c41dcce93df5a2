// Another file keeps in flags which thread level is provided.
// required: MPI_THREAD_SERIALIZED
// file: world.h
#include <mutex>
struct Settings {
    bool is_multiple = false;
};
extern bool is_multiple;
extern int needs_lock;
extern Settings settings;
extern std::mutex lock;
void work();
// file: world.cc
#include <mpi.h>
#include <thread>
#include "world.h"
bool is_multiple = false;
int needs_lock = 1;
Settings settings;
std::mutex lock;
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    is_multiple = provided == MPI_THREAD_MULTIPLE;
    settings.is_multiple = provided == MPI_THREAD_MULTIPLE;
    if (provided == MPI_THREAD_MULTIPLE) needs_lock = 0;
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    MPI_Finalize();
}
// file: work.cc
#include <mpi.h>
#include "world.h"
void work() {
    if (is_multiple) {
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (needs_lock) {
        std::lock_guard<std::mutex> guard(lock);
        MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    if (settings.is_multiple) {
        MPI_Send(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        std::lock_guard<std::mutex> guard(lock);
        MPI_Send(nullptr, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}
