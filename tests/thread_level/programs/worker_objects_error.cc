// Workers that are objects whose numbers are not all different, or that have several threads.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <memory>
#include <thread>
#include <vector>

// All have the same one.
class Worker {
public:
    explicit Worker(int id) : id_(id) {}
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }

private:
    int id_;
};

// Two have each.
class Solver {
public:
    explicit Solver(int id) : id_(id) {}
    void run() {
        if (id_ == 1) MPI_Send(&id_, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }

private:
    int id_;
};

// One is set to another one's.
class Writer {
public:
    explicit Writer(int id) : id_(id) {}
    void set_id(int id) { id_ = id; }
    void run() {
        if (id_ == 2) MPI_Send(&id_, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }

private:
    int id_;
};

// Made twice.
class Service {
public:
    explicit Service(int id) : id_(id), thread_([this] { run(); }) {}
    ~Service() { thread_.join(); }

private:
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
    int id_;
    std::thread thread_;
};

// One object, with several threads.
class Runner {
public:
    explicit Runner(int id) : id_(id) {}
    void start() { threads_.emplace_back(&Runner::run, this); }
    void join() {
        for (auto& thread : threads_) thread.join();
    }

private:
    void run() {
        if (id_ == 0) MPI_Send(&id_, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
    int id_;
    std::vector<std::thread> threads_;
};

class Stage {
public:
    explicit Stage(int id) : id_(id) {}
    void run() {
        if (id_ == 3) MPI_Send(&id_, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);  // expect: mpi-thread-level
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
    }

private:
    std::vector<Stage> stages_;
    std::vector<std::thread> threads_;
};

static void same_number() {
    std::vector<Worker> workers;
    for (int i = 0; i < 4; ++i) workers.emplace_back(0);
    std::vector<std::thread> threads;
    for (auto& worker : workers) threads.emplace_back(&Worker::run, &worker);
    for (auto& thread : threads) thread.join();
}

static void two_of_each() {
    std::vector<std::unique_ptr<Solver>> solvers;
    for (int i = 0; i < 4; ++i) solvers.push_back(std::make_unique<Solver>(i));
    for (int i = 0; i < 4; ++i) solvers.push_back(std::make_unique<Solver>(i));
    std::vector<std::thread> threads;
    for (auto& solver : solvers) threads.emplace_back(&Solver::run, solver.get());
    for (auto& thread : threads) thread.join();
}

static void set_again() {
    std::vector<Writer> writers;
    for (int i = 0; i < 4; ++i) writers.emplace_back(i);
    writers[3].set_id(2);
    std::vector<std::thread> threads;
    for (auto& writer : writers) threads.emplace_back(&Writer::run, &writer);
    for (auto& thread : threads) thread.join();
}

static void make_services(std::vector<std::unique_ptr<Service>>& services) {
    for (int i = 0; i < 4; ++i) services.push_back(std::make_unique<Service>(i));
}

static void two_threads() {
    std::vector<Runner> runners;
    for (int i = 0; i < 4; ++i) runners.emplace_back(i);
    for (auto& runner : runners) {
        runner.start();
        runner.start();
    }
    for (auto& runner : runners) runner.join();
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    same_number();
    two_of_each();
    set_again();
    {
        std::vector<std::unique_ptr<Service>> services;
        make_services(services);
        make_services(services);
    }
    two_threads();
    Pool first(4);
    Pool second(4);
    first.start();
    second.start();
    first.join();
    second.join();
    MPI_Finalize();
}
