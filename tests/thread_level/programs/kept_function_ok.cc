/* A function that is kept (in a std::function, or by a function of the program) is not called there.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <functional>
#include <thread>
#include <vector>

namespace {

int value;
std::function<void(int)> at_end;
std::vector<std::function<void(int)>> all;
void (*handler)(int);

void say(int tag) { MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); }

void keep(void (*function)(int)) { handler = function; }

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread thread([] {
        at_end = say;
        all.push_back(say);
        keep(say);
    });
    MPI_Barrier(MPI_COMM_WORLD);
    thread.join();
#pragma omp parallel
    {
#pragma omp single
        at_end(1);
        std::function<void(int)> mine = say;
        if (value > 3 && !mine) value = 1;
    }
    handler(2);
    MPI_Finalize();
}
