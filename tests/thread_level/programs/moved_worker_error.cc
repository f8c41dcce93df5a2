/* Objects with a thread that are moved: what is left of them joins nothing.
   required: MPI_THREAD_MULTIPLE */
#include <map>
#include <memory>
#include <mpi.h>
#include <thread>
#include <utility>
#include <vector>

class Sender {
    std::thread thread;

public:
    explicit Sender(int tag)
        : thread([tag] {
              int x = 0;
              MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
          }) {}
    Sender(Sender&&) = default;
    Sender& operator=(Sender&& other) {
        std::swap(thread, other.thread);
        return *this;
    }
    ~Sender() {
        if (thread.joinable()) thread.join();
    }
};

class Line {
    std::unique_ptr<Sender> sender, spare;

public:
    void begin(int tag) { sender = std::make_unique<Sender>(tag); }
    void rest() { spare = std::move(sender); }
    void end() { spare = nullptr; }
};

static std::unique_ptr<Sender> first;
static std::map<int, std::unique_ptr<Sender>> by_tag;

static void probe(int tag) {
    int flag = 0;
    MPI_Iprobe(0, tag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

static void in_pointers() {
    first = std::make_unique<Sender>(1);
    MPI_Barrier(MPI_COMM_WORLD); /* beside the send, which is told of above */
    first.reset(new Sender(2));
    probe(2);
    first.reset();
    {
        auto other = std::make_unique<Sender>(3);
        first = std::move(other);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    first.reset();
}

static void in_map() {
    by_tag[4] = std::make_unique<Sender>(4);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    by_tag.clear();
}

static void in_vector() {
    std::vector<Sender> senders;
    senders.push_back(Sender(5));
    senders.emplace_back(6);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void in_members() {
    Line line;
    line.begin(7);
    line.rest();
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    line.end();
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    in_pointers();
    in_map();
    in_vector();
    in_members();
    MPI_Finalize();
}
