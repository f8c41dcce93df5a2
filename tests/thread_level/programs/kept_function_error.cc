/* A function that would join the thread is only kept, not called: the thread runs on. Another one is
   kept, and called by a thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <functional>
#include <thread>

namespace {

int value;
std::thread thread;
std::function<void()> at_end;
std::function<void(int)> handler;

void finish() { thread.join(); }

void say(int tag) { MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); } /* expect: mpi-thread-level */

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    handler = say;
    thread = std::thread([] { handler(1); });
    at_end = finish;
    MPI_Barrier(MPI_COMM_WORLD);
    at_end();
    MPI_Finalize();
}
