// required: MPI_THREAD_SERIALIZED
// Functions of a library initialize MPI in case that nobody has. Here main has, on all ways, before
// it calls them and before there are threads: the level that they would ask for does not count, and
// no thread initializes anything. Whoever has initialized MPI ends it.
#include <cstdlib>
#include <mutex>
#include <thread>

#include <mpi.h>

namespace {

std::mutex one_at_a_time;

bool begin() {
    int is_there = 0;
    MPI_Initialized(&is_there);
    if (is_there) return false;
    MPI_Init(nullptr, nullptr);
    return true;
}

void send_status(int status) {
    begin();
    std::lock_guard<std::mutex> lock(one_at_a_time);
    MPI_Send(&status, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
}

// A function that asks for itself.
void finish() {
    int flag = 0;
    MPI_Initialized(&flag);
    if (!flag) {
        int level = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
        if (level < MPI_THREAD_FUNNELED) std::abort();
    }
    MPI_Finalize();
}

}  // namespace

int main(int count, char** arguments) {
    int level = 0;
    if (count > 1) {
        MPI_Init_thread(&count, &arguments, MPI_THREAD_SERIALIZED, &level);
    } else {
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    }
    if (level < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    send_status(0);
    std::thread working([] {
        for (int i = 1; i < 9; ++i)
            send_status(i);
    });
    send_status(9);
    working.join();
    finish();
}
