/* Threads that the library makes in containers and on the heap, with functions of one type: each
   runs its own, and one of them sends.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

void post(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

void count(int) {}

void in_vector() {
    std::vector<std::thread> crew;
    crew.emplace_back(post, 1);
    for (int i = 0; i < 3; ++i)
        crew.emplace_back(count, i);
    for (auto& one : crew)
        one.join();
}

class Node {
public:
    void run() {
        const auto sender = std::make_unique<std::thread>(&Node::send, this);
        const auto counter = std::make_shared<std::thread>(&Node::count, this);
        sender->join();
        counter->join();
    }

    void run_list() {
        std::list<std::jthread> crew;
        crew.emplace_back(&Node::send_one, this);
        crew.emplace_front(&Node::count, this);
    }

    void run_bound() {
        std::vector<std::thread> crew;
        crew.emplace_back(std::bind(&Node::send_bound, this));
        crew.emplace_back(std::bind(&Node::count, this));
        for (auto& one : crew)
            one.join();
    }

    void run_optional() {
        std::optional<std::thread> sender;
        std::optional<std::thread> counter;
        sender.emplace(std::mem_fn(&Node::send_last), this);
        counter.emplace(std::mem_fn(&Node::count), this);
        sender->join();
        counter->join();
    }

private:
    void send() { MPI_Send(&sum_, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); }
    void send_one() { MPI_Send(&sum_, 1, MPI_INT, 0, 6, MPI_COMM_WORLD); }
    void send_bound() { MPI_Send(&sum_, 1, MPI_INT, 0, 7, MPI_COMM_WORLD); }
    void send_last() { MPI_Send(&sum_, 1, MPI_INT, 0, 8, MPI_COMM_WORLD); }
    void count() { ++counted_; }

    int sum_ = 0;
    int counted_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    in_vector();
    Node node;
    node.run();
    node.run_list();
    node.run_bound();
    node.run_optional();
    MPI_Finalize();
}
