/* Threads that the library makes in containers and on the heap: several with one function, two that
   both send, one that may run either function, one that goes on beside its maker.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace {

void post(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

void post_some(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

void post_beside(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 2, tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

void count(int) {}

void in_vector() {
    std::vector<std::thread> crew;
    crew.emplace_back(count, 0);
    for (int i = 0; i < 3; ++i)
        crew.emplace_back(post, i);
    for (auto& one : crew)
        one.join();
}

void either(bool all) {
    void (*work)(int) = count;
    if (all) work = post_some;
    std::vector<std::thread> crew;
    crew.emplace_back(post_some, 1);
    crew.emplace_back(work, 2);
    for (auto& one : crew)
        one.join();
}

void beside() {
    std::vector<std::thread> crew;
    crew.emplace_back(post_beside, 1);
    auto counter = std::make_unique<std::thread>(count, 2);
    counter->join();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    for (auto& one : crew)
        one.join();
}

class Node {
public:
    void run() {
        const auto sender = std::make_unique<std::thread>(&Node::send, this);
        const auto marker = std::make_unique<std::thread>(&Node::mark, this);
        sender->join();
        marker->join();
    }

    void run_bound(bool all) {
        int (Node::*work)() = &Node::count;
        if (all) work = &Node::send_bound;
        const auto call = std::bind(work, this);
        std::vector<std::thread> crew;
        crew.emplace_back(std::bind(&Node::send_bound, this));
        crew.emplace_back(call);
        for (auto& one : crew)
            one.join();
    }

private:
    void send() { MPI_Send(&sum_, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* expect: mpi-thread-level */ }
    void mark() { MPI_Send(&sum_, 1, MPI_INT, 0, 6, MPI_COMM_WORLD); }
    int send_bound() {
        return MPI_Send(&sum_, 1, MPI_INT, 0, 7, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    int count() { return ++counted_; }

    int sum_ = 0;
    int counted_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    in_vector();
    either(argc > 1);
    beside();
    Node node;
    node.run();
    node.run_bound(argc > 1);
    MPI_Finalize();
}
