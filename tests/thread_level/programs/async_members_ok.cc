/* Asynchronous calls of member functions of one type, each of its own: one of them sends.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <functional>
#include <future>

namespace {

class Probe {
public:
    void sample() {
        auto sent = std::async(std::launch::async, &Probe::send, this);
        auto averaged = std::async(std::launch::async, &Probe::average, this);
        averaged.get();
        sent.get();
    }

    void sample_copies() {
        void (Probe::*const first)() = &Probe::send_copy;
        void (Probe::*second)() = nullptr;
        second = &Probe::average;
        const auto copied = first;
        auto sent = std::async(std::launch::async, copied, this);
        auto averaged = std::async(std::launch::async, second, this);
        averaged.get();
        sent.get();
    }

    void sample_bound() {
        auto call = std::bind(&Probe::send_bound, this);
        auto sent = std::async(std::launch::async, std::move(call));
        auto averaged = std::async(std::launch::async, std::bind(&Probe::average, this));
        averaged.get();
        sent.get();
    }

private:
    void send() { MPI_Send(values_, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); }
    void send_copy() { MPI_Send(values_, 4, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD); }
    void send_bound() { MPI_Send(values_, 4, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD); }
    void average() { mean_ = (values_[0] + values_[1] + values_[2] + values_[3]) / 4; }

    double values_[4] = {};
    double mean_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Probe probe;
    probe.sample();
    probe.sample_copies();
    probe.sample_bound();
    MPI_Finalize();
}
