/* The file that initializes MPI does so on some ways only, so that the others may do it, too; main
   catches what another file throws, and all is destroyed that the function there has, beside its
   thread. Alone, that file is taken to be called by who catches nothing. */
/* required: MPI_THREAD_MULTIPLE */ /* requested: MPI_THREAD_SINGLE or MPI_THREAD_MULTIPLE */
/* file: parts.h */
void set_up();
void be_ready();
void work(int count);
/* file: main.cc */
#include "parts.h"
int main(int argc, char**) {
    if (argc > 1) set_up();
    be_ready();
    try {
        work(argc);
    } catch (...) {
    }
}
/* file: set_up.cc */
#include <mpi.h>
#include "parts.h"
void set_up() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
}
/* file: ready.cc */
#include <mpi.h>
#include "parts.h"
void be_ready() {
    int there = 0;
    MPI_Initialized(&there);
    if (!there) MPI_Init(nullptr, nullptr);
}
/* file: work.cc */
#include <mpi.h>
#include <pthread.h>
#include <vector>
#include "parts.h"
struct Goodbye {
    ~Goodbye() { MPI_Finalize(); }
};
static void* receive(void*) {
    int x = 0;
    be_ready();
    MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-finalize mpi-thread-level */
    return nullptr;
}
static void finish(pthread_t thread, int x) {
    MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    pthread_join(thread, nullptr);
}
void work(int count) {
    Goodbye goodbye;
    pthread_t thread;
    pthread_create(&thread, nullptr, receive, nullptr); /* expect: mpi-strict-single */
    std::vector<int> numbers(static_cast<std::size_t>(count));
    numbers.push_back(1);
    finish(thread, numbers.back());
}
