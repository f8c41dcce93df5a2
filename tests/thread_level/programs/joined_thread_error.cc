/* The same with std::thread: in a vector, moved to one, in members, in an inner block.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <future>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

void send() {
    MPI_Send(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int compute(int number) {
    return 2 * number;
}

void beside_vector() {
    std::vector<std::thread> makers;
    std::thread net(send);
    for (int i = 0; i < 2; ++i)
        makers.emplace_back(compute, i);
    for (auto& maker : makers)
        maker.join();
    MPI_Barrier(MPI_COMM_WORLD);
    net.join();
}

void in_vector() {
    std::vector<std::thread> nets;
    std::thread worker(compute, 1);
    nets.emplace_back([] { send(); });
    worker.join();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    for (auto& net : nets)
        net.join();
}

void moved_to_list() {
    std::list<std::thread> all;
    std::thread net(send);
    std::thread worker(compute, 1);
    all.push_back(std::move(net));
    worker.join();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    for (auto at = all.begin(); at != all.end(); ++at)
        at->join();
}

void assigned() {
    std::thread workers[2];
    std::thread net(send);
    for (auto& worker : workers)
        worker = std::thread(compute, 1);
    for (auto& worker : workers)
        worker.join();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    net.join();
}

void in_block() {
    std::thread net(send);
    {
        std::jthread worker(compute, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    net.join();
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
    void run() { send(); }
    std::thread net_;
    std::vector<std::thread> workers_;
};

void of_class() {
    Server server;
    server.start();
    server.finish();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    server.stop();
}

void on_heap() {
    std::thread worker(compute, 1);
    std::optional<std::thread> net;
    net.emplace(send);
    worker.join();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    net->join();
}

void asynchronous() {
    std::thread net(send);
    std::vector<std::future<int>> all;
    all.push_back(std::async(std::launch::async, compute, 1));
    for (auto& one : all)
        one.get();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    net.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    beside_vector();
    in_vector();
    moved_to_list();
    assigned();
    in_block();
    of_class();
    on_heap();
    asynchronous();
    MPI_Finalize();
}
