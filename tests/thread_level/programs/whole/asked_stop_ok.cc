/* A thread is stopped where a flag of all files says that there is one: a message, then the join.
   requested: MPI_THREAD_MULTIPLE
   required: MPI_THREAD_MULTIPLE
   verdict: compliant */
/* file: progress.h */
#pragma once
#include <thread>
inline std::thread progressing;
inline bool is_running;
void progress();
void say_stop();
inline void start() {
    if (is_running) return;
    is_running = true;
    progressing = std::thread(&progress);
}
inline void stop() {
    if (is_running) {
        say_stop();
        progressing.join();
    }
}
/* file: environment.cc */
#include <mpi.h>

#include "progress.h"

void progress() {
    MPI_Recv(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}
void say_stop() {
    MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
}
void begin() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    start();
}
void end() {
    stop();
    MPI_Finalize();
}
/* file: main.cc */
void begin();
void end();

int main() {
    begin();
    end();
}
