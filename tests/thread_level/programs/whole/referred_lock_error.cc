// An object refers to a lock that is known where it is made only; one of its members has given the
// lock back before it calls MPI.
// required: MPI_THREAD_MULTIPLE
// requested: MPI_THREAD_SERIALIZED
// verdict: not compliant

// file: sender.h
#pragma once
#include <memory>
#include <mutex>

class Sender {
public:
    explicit Sender(std::mutex& lock) : lock_(lock) {}
    void send(int value);
    void probe();

private:
    std::mutex& lock_;
};
std::unique_ptr<Sender> make_sender(std::mutex& lock);

// file: sender.cc
#include "sender.h"
#include <mpi.h>

void Sender::send(int value) {
    const std::lock_guard guard(lock_);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
}
void Sender::probe() {
    int flag;
    lock_.lock();
    lock_.unlock();
    MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
std::unique_ptr<Sender> make_sender(std::mutex& lock) {
    return std::make_unique<Sender>(lock);
}

// file: main.cc
#include <mpi.h>
#include <thread>
#include "sender.h"

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    static std::mutex lock;
    auto sender = make_sender(lock);
    std::thread one([&] { sender->send(1); });
    std::thread other([&] { sender->probe(); });
    one.join();
    other.join();
    MPI_Finalize();
}
