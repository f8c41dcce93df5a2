// A guard whose constructor and destructor are in another file: what is done in between counts.
// required: MPI_THREAD_SERIALIZED
// requested: MPI_THREAD_SERIALIZED

// file: guard.h
#include <mutex>

class Guard {
public:
    explicit Guard(std::mutex& mutex);
    ~Guard();

private:
    std::mutex& mutex_;
};

extern std::mutex mpi_mutex;
extern std::mutex other_mutex;
void send(int tag);
void compute(int step);
void work(int steps);

// file: guard.cc
#include "guard.h"

std::mutex mpi_mutex;
std::mutex other_mutex;

Guard::Guard(std::mutex& mutex) : mutex_(mutex) {
    mutex_.lock();
}

Guard::~Guard() {
    mutex_.unlock();
}

// file: send.cc
#include <mpi.h>

#include "guard.h"

void send(int tag) {
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

void compute(int step) {
    Guard guard(other_mutex);
    static int sum = 0;
    sum += step;
    if (sum < 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

// file: work.cc
#include "guard.h"

void work(int steps) {
    for (int i = 0; i < steps; ++i) {
        if (i % 2 == 0) {
            Guard guard(mpi_mutex);
            send(0);
        } else if (i % 3 == 0) {
            compute(1);
        } else {
            Guard guard(mpi_mutex);
            compute(1);
            send(0);
        }
        if (i > 6) compute(2);
        if (i > 7) {
            Guard guard(other_mutex);
            continue;
        }
    }
}

// file: main.cc
#include <mpi.h>

#include "guard.h"

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    work(argc);
    MPI_Finalize();
}
