// required: MPI_THREAD_MULTIPLE
// main may come to the static variable first, or not; and one that main has made is not the other.
#include <cstdio>

#include <mpi.h>

struct World {
    World() {
        const int wanted = MPI_THREAD_FUNNELED;
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, wanted, &provided);  // expect: mpi-init-in-parallel
        if (provided < wanted) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ~World() { MPI_Finalize(); }
    int rank() const {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);  // expect: mpi-thread-level
        return rank;
    }
};

struct Clock {
    double start = 0;
    Clock() { std::puts("started"); }
};

static Clock& clock_of_all() {
    static Clock clock;
    return clock;
}

static int rank() {
    static World world;
    return world.rank();
}

int main(int count, char**) {
    if (count > 1) std::printf("%d\n", rank());
    clock_of_all().start = count;
#pragma omp parallel for
    for (int i = 0; i < 100; ++i)
        if (rank() == 0 && clock_of_all().start > i) std::printf("%d\n", i);
}
