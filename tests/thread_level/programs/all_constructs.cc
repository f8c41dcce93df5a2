/* OpenMP and threads in the ways of C++ that GCC 12 takes; see all_constructs.c.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <regex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace {

#define CALL() MPI_Barrier(MPI_COMM_WORLD)

void call() { CALL(); }

struct Exchange {
    virtual ~Exchange() = default;
    virtual void run() = 0;
    virtual int rank() const { return 0; }
};
struct Logged {
    virtual void log() { std::cout << "log\n"; }
};
struct Halo final : Logged, virtual Exchange {
    void run() override {
#pragma omp parallel
        CALL();
    }
    MPI_Comm comm = MPI_COMM_WORLD;
};

template <class Function>
void in_parallel(Function&& function) {
#pragma omp parallel
    { function(); }
}

template <int kDepth>
int recurse(int n) {
    if constexpr (kDepth > 0) {
        int sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; ++i) sum += recurse<kDepth - 1>(i);
        return sum;
    } else {
        CALL();
        return n;
    }
}

[[omp::directive(declare target)]];
int device_value = 3;
[[omp::directive(end declare target)]];

void attributes(int n) {
    [[omp::sequence(directive(parallel), directive(single nowait))]] CALL();
    [[omp::directive(parallel for)]] for (int i = 0; i < n; ++i) CALL();
}

void exceptions(int n) {
    try {
#pragma omp parallel
        {
            try {
                if (n > 3) throw std::runtime_error("three");
                std::vector<int> v(static_cast<std::size_t>(n));
                CALL();
            } catch (const std::exception& e) {
                std::cerr << e.what();
                CALL();
            }
#pragma omp critical
            {
                std::string s(10, 'x');
                CALL();
            }
        }
        std::cout << std::stoi("1");
    } catch (...) {
#pragma omp parallel
        CALL();
        throw;
    }
#pragma omp parallel
    CALL();
}

void lambdas(int n) {
    in_parallel([&] { CALL(); });
    const std::function<void(int)> f = [n](int k) {
#pragma omp task shared(n) firstprivate(k)
        if (n == k) CALL();
    };
#pragma omp parallel
#pragma omp single
    f(2);
    std::for_each_n(std::begin({1, 2, 3}), 3, [](int) { CALL(); });
    auto generic = [](auto... values) {
#pragma omp parallel
        ((void)values, ..., CALL());
    };
    generic(1, 2.0, "3");
}

void locks(int n) {
    static std::mutex first, second;
    std::recursive_mutex again;
    std::shared_mutex shared;
#pragma omp parallel
    {
        {
            const std::scoped_lock both(first, second);
            CALL();
        }
        std::unique_lock<std::mutex> later(first, std::defer_lock);
        if (n > 1) {
            later.lock();
            CALL();
            later.unlock();
        }
        const std::shared_lock<std::shared_mutex> reader(shared);
        const std::lock_guard guard(again);
        CALL();
    }
    static std::once_flag once;
    std::call_once(once, call);
#pragma omp parallel
    CALL();
}

void threads(int n) {
    std::vector<std::thread> all;
    for (int i = 0; i < n; ++i) all.emplace_back([i] { CALL(); });
    for (std::thread& t : all) t.join();
    std::jthread joined(call);
    auto later = std::async(call);
    std::packaged_task<void()> task(call);
    std::thread runner(std::move(task));
    runner.detach();
    std::atomic<int> count = 0;
#pragma omp parallel for schedule(runtime)
    for (auto it = all.begin(); it < all.end(); ++it) ++count;
#pragma omp parallel
    CALL();
}

void ranges(const std::map<int, std::string>& names) {
    std::array<double, 8> a{};
#pragma omp parallel for
    for (double& x : a) x = 1;
    for (const auto& [number, name] : names) std::cout << number << name;
    std::variant<int, std::string> v = 3;
    std::visit([](const auto&) { CALL(); }, v);
    const std::regex pattern("a+");
    std::cout << std::regex_match("aa", pattern) << std::accumulate(a.begin(), a.end(), 0.0);
#pragma omp parallel
    CALL();
}

struct Member {
    int tid = 0;
    std::mutex m;
    void work() {
#pragma omp parallel private(tid)
        {
            tid = omp_get_thread_num();
            if (tid == 0) CALL();
            const std::lock_guard<std::mutex> hold(m);
            CALL();
        }
#pragma omp parallel
        CALL();
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    const std::unique_ptr<Exchange> exchange = std::make_unique<Halo>();
    exchange->run();
    recurse<3>(argc);
    attributes(argc);
    exceptions(argc);
    lambdas(argc);
    locks(argc);
    threads(argc);
    ranges({{1, "one"}});
    Member().work();
    MPI_Finalize();
}
