/* Objects with a thread that are moved: it is joined where the last one of them ends, or gets another
   thread, or none.
   required: MPI_THREAD_SERIALIZED */
#include <map>
#include <memory>
#include <mpi.h>
#include <thread>
#include <utility>
#include <vector>

class Sender {
    std::thread thread;

public:
    Sender() = default;
    explicit Sender(int tag)
        : thread([tag] {
              int x = 0;
              MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
          }) {}
    Sender(Sender&&) = default;
    Sender& operator=(Sender&& other) {
        std::swap(thread, other.thread);
        return *this;
    }
    void join() {
        if (thread.joinable()) thread.join();
    }
    ~Sender() { join(); }
};

class Line {
    std::unique_ptr<Sender> sender;

public:
    void begin(int tag) { sender = std::make_unique<Sender>(tag); }
    void end() { sender = nullptr; }
};

static std::unique_ptr<Sender> first;
static std::map<int, std::unique_ptr<Sender>> by_tag;

static void wait_for(Sender&& sender) {
    sender.join();
}

static void wait_for_other(std::unique_ptr<Sender> sender) {
    sender->join();
}

static void in_pointers() {
    first.reset(new Sender(1));
    first = std::make_unique<Sender>();
    MPI_Barrier(MPI_COMM_WORLD);
    first.reset(new Sender(2));
    first.reset();
    MPI_Barrier(MPI_COMM_WORLD);
    {
        auto other = std::make_unique<Sender>(3);
        other->join();
        first = std::move(other);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void in_containers() {
    by_tag[4] = std::make_unique<Sender>(4);
    by_tag.clear();
    MPI_Barrier(MPI_COMM_WORLD);
    {
        std::vector<Sender> senders;
        Sender sender(5);
        senders.push_back(std::move(sender));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void in_objects() {
    Line line;
    line.begin(7);
    line.end();
    MPI_Barrier(MPI_COMM_WORLD);
    Sender sender(8);
    sender = Sender();
    MPI_Barrier(MPI_COMM_WORLD);
    wait_for(Sender(9));
    wait_for_other(std::make_unique<Sender>(10));
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    in_pointers();
    in_containers();
    in_objects();
    MPI_Finalize();
}
