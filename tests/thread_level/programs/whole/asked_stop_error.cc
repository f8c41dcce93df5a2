/* A thread that a flag of all files is for goes on: beside what comes behind a function that stops it
   some day, and beside the end where the flag is for a message only.
   requested: MPI_THREAD_SERIALIZED
   required: MPI_THREAD_MULTIPLE
   verdict: not compliant */
/* file: progress.h */
#pragma once
#include <thread>
inline std::thread progressing, listening;
inline bool is_running, is_done;
void progress();
void listen();
void say_stop();
inline void start() {
    if (is_running) return;
    is_running = true;
    progressing = std::thread(&progress);
}
inline void start_listening() {
    listening = std::thread(&listen);
}
inline void stop() {
    if (is_done) {
        say_stop();
        progressing.join();
    }
}
inline void stop_listening() {
    if (is_running) is_done = true;
}
/* file: environment.cc */
#include <mpi.h>

#include "progress.h"

void progress() {
    MPI_Recv(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}
void listen() {
    MPI_Probe(0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-finalize compiler: mpi-finalize */
}
void say_stop() {
    MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
}
void begin() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start();
}
void step() {
    stop();
    MPI_Barrier(MPI_COMM_SELF); /* expect: mpi-thread-level */
}
void end() {
    start_listening();
    stop_listening();
    MPI_Finalize();
}
/* file: main.cc */
void begin();
void step();
void end();

int main() {
    begin();
    step();
    end();
}
