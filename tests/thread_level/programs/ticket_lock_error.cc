/* What looks like ticket locks, but keeps nobody out.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

/// Draws a number, but does not wait.
struct Hasty {
    void lock() { next.fetch_add(1); }
    void unlock() { serving.fetch_add(1); }
    std::atomic<unsigned> next{0}, serving{0};
};

/// Waits for what it draws from.
struct Wrong {
    void lock() {
        const unsigned mine = next.fetch_add(1);
        while (next.load() != mine + 1) std::this_thread::yield();
        while (next.load() != mine) std::this_thread::yield();
    }
    void unlock() { serving.fetch_add(1); }
    std::atomic<unsigned> next{0}, serving{0};
};

/// Nobody lets go of it.
struct Kept {
    void lock() {
        const unsigned mine = next.fetch_add(1);
        while (serving.load() != mine) std::this_thread::yield();
    }
    void unlock() {}
    std::atomic<unsigned> next{0}, serving{0};
};

/// Looks once.
struct Impatient {
    void lock() {
        const unsigned mine = next.fetch_add(1);
        if (serving.load() != mine) std::this_thread::yield();
    }
    void unlock() { serving.fetch_add(1); }
    std::atomic<unsigned> next{0}, serving{0};
};

/// Goes on while another one is served.
struct Contrary {
    void lock() {
        const unsigned mine = next.fetch_add(1);
        while (serving.load() == mine) std::this_thread::yield();
    }
    void unlock() { serving.fetch_add(1); }
    std::atomic<unsigned> next{0}, serving{0};
};

/// Gives the same numbers again.
struct Returning {
    void lock() {
        const unsigned mine = next.fetch_add(1);
        while (serving.load() != mine) std::this_thread::yield();
    }
    void unlock() {
        next.fetch_sub(1);
        serving.fetch_add(1);
    }
    std::atomic<unsigned> next{0}, serving{0};
};

/// All get the same number.
struct Same {
    void lock() {
        const unsigned mine = next.fetch_add(0);
        while (serving.load() != mine) std::this_thread::yield();
    }
    void unlock() { serving.fetch_add(1); }
    std::atomic<unsigned> next{0}, serving{0};
};

/// What the one before has done is not known.
struct Relaxed {
    void lock() {
        const unsigned mine = next.fetch_add(1);
        while (serving.load(std::memory_order_relaxed) != mine) std::this_thread::yield();
    }
    void unlock() { serving.fetch_add(1); }
    std::atomic<unsigned> next{0}, serving{0};
};

Hasty hasty;
Wrong wrong;
Kept kept;
Impatient impatient;
Contrary contrary;
Returning returning;
Same same;
Relaxed relaxed;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const std::lock_guard<Hasty> hold(hasty);
        MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Wrong> hold(wrong);
        MPI_Send(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Kept> hold(kept);
        MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Impatient> hold(impatient);
        MPI_Send(nullptr, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Contrary> hold(contrary);
        MPI_Send(nullptr, 0, MPI_INT, 4, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Returning> hold(returning);
        MPI_Send(nullptr, 0, MPI_INT, 5, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Same> hold(same);
        MPI_Send(nullptr, 0, MPI_INT, 6, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        const std::lock_guard<Relaxed> hold(relaxed);
        MPI_Send(nullptr, 0, MPI_INT, 7, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
    MPI_Finalize();
}
