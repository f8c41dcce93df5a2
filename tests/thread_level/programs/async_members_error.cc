/* Asynchronous calls of member functions of one type that both send, or may be one and the same, as
   it is decided late which they are.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <functional>
#include <future>

namespace {

class Probe {
public:
    void sample() {
        auto sent = std::async(std::launch::async, &Probe::send, this);
        auto marked = std::async(std::launch::async, &Probe::mark, this);
        marked.get();
        sent.get();
    }

    void sample_either(bool all) {
        int (Probe::*step)() = &Probe::count;
        if (all) step = &Probe::send_all;
        auto sent = std::async(std::launch::async, &Probe::send_all, this);
        auto other = std::async(std::launch::async, step, this);
        other.get();
        sent.get();
    }

    void sample_chosen() {
        Step step = &Probe::average;
        choose(step);
        auto sent = std::async(std::launch::async, &Probe::send_chosen, this);
        auto other = std::async(std::launch::async, step, this);
        other.get();
        sent.get();
    }

    void sample_captured() {
        bool (Probe::*step)() = &Probe::is_low;
        const auto set = [&step] { step = &Probe::send_captured; };
        set();
        auto sent = std::async(std::launch::async, &Probe::send_captured, this);
        auto other = std::async(std::launch::async, std::bind(step, this));
        other.get();
        sent.get();
    }

    void sample_virtual() {
        auto sent = std::async(std::launch::async, &Probe::report, this);
        auto other = std::async(std::launch::async, std::bind(&Probe::report, this));
        other.get();
        sent.get();
    }

    virtual short report() { return 0; }
    virtual ~Probe() = default;

private:
    using Step = double (Probe::*)();

    void choose(Step& step);
    int count() { return 4; }
    double average() { return (values_[0] + values_[1] + values_[2] + values_[3]) / 4; }
    bool is_low() { return values_[0] < 1; }
    void send() { post(1); }
    void mark() { MPI_Send(values_, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */ }
    int send_all() {
        return MPI_Send(values_, 4, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    double send_chosen() {
        return MPI_Send(values_, 4, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    bool send_captured() {
        return MPI_Send(values_, 4, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD) == 0; /* expect: mpi-thread-level */
    }
    void post(int tag) {
        MPI_Send(values_, 4, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
    }

    double values_[4] = {};
};

void Probe::choose(Step& step) {
    if (values_[0] > 0) step = &Probe::send_chosen;
}

class Sender : public Probe {
public:
    short report() override {
        MPI_Send(nullptr, 0, MPI_INT, 0, 6, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        return 1;
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Sender probe;
    probe.sample();
    probe.sample_either(argc > 1);
    probe.sample_chosen();
    probe.sample_captured();
    probe.sample_virtual();
    MPI_Finalize();
}
