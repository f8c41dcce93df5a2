// Calls that never come back to behind them: what left them is over for all that comes later.
#include <csetjmp>
#include <cstdlib>
#include <stdexcept>

#include "program.h"

static std::jmp_buf place;

[[gnu::noinline]] static void throw_in_call() {
#pragma omp critical
    {
        try {
            mpi_thread_level_call(SITE("a", "-", "i", "MPI_Send"), 1);
            throw std::runtime_error("of an error handler");
        } catch (const std::exception&) {
        }
    }
}

[[gnu::noinline]] static void jump_out_of_call() {
    mpi_thread_level_call(SITE("b", "-", "i", "MPI_Send"), 1);
    std::longjmp(place, 1);
}

static void send_at_exit() { SEND("d"); }

struct Late {
    ~Late() { SEND("e"); }
};
static Late late;

int main() {
    std::atexit(send_at_exit);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) throw_in_call();
#pragma omp barrier
        if (omp_get_thread_num() == 1) SEND("c");
#pragma omp barrier
        if (omp_get_thread_num() == 0 && setjmp(place) == 0) jump_out_of_call();
#pragma omp barrier
        if (omp_get_thread_num() == 1) SEND("c");
    }
}
