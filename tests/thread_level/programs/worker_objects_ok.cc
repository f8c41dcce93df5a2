// Workers that are objects with a number each, which their constructors get from one loop: elements
// of containers, by value or by pointers, and objects that keep their thread. One of them calls MPI.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <memory>
#include <thread>
#include <utility>
#include <vector>

class Worker {
public:
    explicit Worker(int id) : id_(id) {}
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

private:
    int id_;
};

class Solver {
public:
    Solver(int id, double part) : part_(part), id_(id) {}
    void run() {
        if (id_ != 1) return;
        MPI_Send(&part_, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    }

private:
    double part_;
    int id_;
};

class Writer {
public:
    explicit Writer(int id) : id_(id) {}
    void operator()() {
        if (id_ == 2) MPI_Send(&id_, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    int id() const { return id_; }

private:
    int id_;
};

// Its thread runs as long as there is the object.
class Service {
public:
    explicit Service(int id) : id_(id), thread_([this] { run(); }) {}
    ~Service() { thread_.join(); }

private:
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    int id_;
    std::thread thread_;
};

class Runner {
public:
    explicit Runner(int id) : id_(id) {}
    void start() { thread_ = std::thread(&Runner::run, this); }
    void join() { thread_.join(); }

private:
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    int id_;
    std::thread thread_;
};

class Stage {
public:
    explicit Stage(int id) : id_(id) {}
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }

private:
    int id_;
};

class Pool {
public:
    explicit Pool(int size) {
        for (int i = 0; i < size; ++i) stages_.emplace_back(i);
    }
    void start() {
        for (auto& stage : stages_) threads_.emplace_back(&Stage::run, &stage);
    }
    void join() {
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

private:
    std::vector<Stage> stages_;
    std::vector<std::thread> threads_;
};

static void elements() {
    std::vector<Worker> workers;
    for (int i = 0; i < 4; ++i) workers.emplace_back(i);
    std::vector<std::thread> threads;
    for (auto& worker : workers) threads.emplace_back(&Worker::run, &worker);
    for (auto& thread : threads) thread.join();
}

static void pointers() {
    std::vector<std::unique_ptr<Solver>> solvers;
    for (int i = 0; i < 4; ++i) solvers.push_back(std::make_unique<Solver>(i, 0.5));
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.push_back(std::thread(&Solver::run, solvers[i].get()));
    for (auto& thread : threads) thread.join();
}

static void lambdas() {
    std::vector<Writer> writers;
    for (int i = 0; i < 4; ++i) writers.push_back(Writer(i));
    std::vector<std::thread> threads;
    for (auto& writer : writers) threads.emplace_back([&writer] { writer(); });
    for (auto& thread : threads) thread.join();
}

static void services() {
    std::vector<std::unique_ptr<Service>> services;
    for (int i = 0; i < 4; ++i) services.push_back(std::make_unique<Service>(i));
}

static void runners() {
    std::vector<Runner> runners;
    for (int i = 0; i < 4; ++i) runners.emplace_back(i);
    for (auto& runner : runners) runner.start();
    for (auto& runner : runners) runner.join();
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    elements();
    pointers();
    lambdas();
    services();
    runners();
    Pool pool(4);
    pool.start();
    pool.join();
    MPI_Finalize();
}
