/// What the checks of thread levels at run time cost: a call with its checks, and what OpenMP and
/// the C library do while their library stands in front of them.
#include <omp.h>
#include <pthread.h>

#include <benchmark/benchmark.h>

#include "thread_level/checks/checks.h"

// An MPI library that answers at once.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
int PMPI_Query_thread(int* provided) {
    *provided = 2;
    return 0;
}
int PMPI_Is_thread_main(int* flag) {
    *flag = omp_get_thread_num() == 0 ? 1 : 0;
    return 0;
}
}
// NOLINTEND(readability-identifier-naming)

namespace {

constexpr const char* kSend =
    "1\t-\ti\tMPI_Send\texchange_boundaries\t120\t5\tsrc/solver/exchange.c";
constexpr const char* kReduce = "1\tc\ti\tMPI_Allreduce\tresidual\t14\t5\tsrc/solver/residual.c";

void call(const char* site) {
    mpi_thread_level_call(site, 1);
    mpi_thread_level_return(site);
}

void serial_call(benchmark::State& state) {
    for (auto _ : state)
        call(kSend);
}
BENCHMARK(serial_call);

/// The other threads of a team of so many have made calls, too.
void call_in_team(benchmark::State& state) {
#pragma omp parallel num_threads(static_cast <int>(state.range(0)))
    {
#pragma omp critical
        call(kSend);
#pragma omp barrier
#pragma omp master
        for (auto _ : state)
            call(kSend);
    }
}
BENCHMARK(call_in_team)->Arg(2)->Arg(8)->Arg(64);

/// A phase for each call.
void call_and_barrier(benchmark::State& state) {
#pragma omp parallel num_threads(1)
    for (auto _ : state) {
        call(kReduce);
#pragma omp barrier
    }
}
BENCHMARK(call_and_barrier);

void parallel_region(benchmark::State& state) {
    for (auto _ : state) {
#pragma omp parallel num_threads(1)
        benchmark::ClobberMemory();
    }
}
BENCHMARK(parallel_region);

void critical_section(benchmark::State& state) {
    for (auto _ : state) {
#pragma omp critical
        benchmark::ClobberMemory();
    }
}
BENCHMARK(critical_section);

void mutex(benchmark::State& state) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    for (auto _ : state) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}
BENCHMARK(mutex);

}  // namespace
