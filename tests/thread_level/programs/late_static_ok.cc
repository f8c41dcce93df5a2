// required: MPI_THREAD_SERIALIZED
// A static variable of a function initializes MPI when main comes to the function first, whatever
// way it goes there. Threads of a team, and other threads, that come later find it made.
#include <thread>

#include <mpi.h>

class World {
public:
    static World& instance() {
        static World world(MPI_THREAD_SERIALIZED);
        return world;
    }
    int rank() const { return rank_; }
    void tell(int what) { MPI_Send(&what, 1, MPI_INT, 0, 6, MPI_COMM_WORLD); }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

private:
    explicit World(int level) {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, level, &provided);
        if (provided < level) MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    }
    ~World() { MPI_Finalize(); }
    int rank_ = 0;
};

static bool is_first() {
    return World::instance().rank() == 0;
}

int main(int count, char**) {
    if (count > 1 && is_first()) return 0;
    int sum = World::instance().rank();
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; ++i)
        sum += is_first() ? i : 0;
    std::thread telling([sum] { World::instance().tell(sum); });
    telling.join();
}
