/* The same with std::thread: in a vector, moved to one, in members, in an inner block.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::mutex sending;

template <int number>
void send() {
    const std::lock_guard hold(sending);
    MPI_Send(nullptr, 0, MPI_INT, MPI_PROC_NULL, number, MPI_COMM_WORLD);
}

int compute(int number) {
    return 2 * number;
}

void wait() {
    MPI_Barrier(MPI_COMM_WORLD);
}

void beside_vector() {
    std::vector<std::thread> makers;
    std::thread net(send<1>);
    for (int i = 0; i < 2; ++i)
        makers.emplace_back(compute, i);
    net.join();
    wait();
    for (auto& maker : makers)
        maker.join();
}

void in_vector() {
    std::vector<std::thread> nets;
    std::thread worker(compute, 1);
    for (int i = 0; i < 2; ++i)
        nets.emplace_back([] { send<2>(); });
    for (auto& net : nets)
        net.join();
    wait();
    worker.join();
}

void moved_to_list() {
    std::list<std::thread> all;
    std::thread net(send<3>);
    std::thread worker(compute, 1);
    all.push_back(std::move(net));
    all.push_back(std::thread(send<4>));
    for (auto at = all.begin(); at != all.end(); ++at)
        at->join();
    wait();
    worker.join();
}

void moved_from_vector() {
    std::vector<std::thread> all;
    all.emplace_back(send<5>);
    std::thread last = std::move(all.back());
    all.pop_back();
    last.join();
    wait();
}

void assigned() {
    std::thread nets[2];
    std::thread worker(compute, 1);
    for (auto& net : nets)
        net = std::thread(send<6>);
    for (auto& net : nets)
        net.join();
    wait();
    worker.join();
}

void in_block() {
    std::thread worker(compute, 1);
    {
        std::jthread net(send<7>);
    }
    wait();
    worker.join();
}

class Guard {
public:
    explicit Guard(std::thread& thread) : thread_(thread) {}
    ~Guard() { thread_.join(); }

private:
    std::thread& thread_;
};

void guarded() {
    {
        std::thread net(send<8>);
        Guard guard(net);
    }
    wait();
}

class Server {
public:
    void start() {
        net_ = std::thread([this] { run(); });
        for (int i = 0; i < 2; ++i)
            workers_.emplace_back(compute, i);
    }
    void stop() { net_.join(); }
    void finish() {
        for (auto& worker : workers_)
            worker.join();
    }

private:
    void run() { send<9>(); }
    std::thread net_;
    std::vector<std::thread> workers_;
};

void of_class() {
    Server server;
    server.start();
    server.stop();
    wait();
    server.finish();
}

void on_heap() {
    auto net = std::make_unique<std::thread>(send<10>);
    std::vector<std::thread*> others = {new std::thread(send<11>)};
    std::optional<std::thread> one;
    one.emplace(send<12>);
    net->join();
    for (std::thread* other : others)
        other->join();
    one->join();
    wait();
}

void lambda() {
    std::thread net(send<13>);
    const auto finish = [&] { net.join(); };
    finish();
    wait();
}

std::thread begin() {
    return std::thread(send<14>);
}

void given() {
    std::thread net = begin();
    net.join();
    wait();
}

void asynchronous() {
    std::thread worker(compute, 1);
    std::vector<std::future<void>> all;
    all.push_back(std::async(std::launch::async, send<15>));
    for (auto& one : all)
        one.get();
    wait();
    worker.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    beside_vector();
    in_vector();
    moved_to_list();
    moved_from_vector();
    assigned();
    in_block();
    guarded();
    of_class();
    on_heap();
    lambda();
    given();
    asynchronous();
    MPI_Finalize();
}
