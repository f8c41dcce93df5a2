/* A class starts a thread for each of its objects: two of one class, one of a class that inherits what the other one does, and one by
   a pointer that may be to any.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#include <thread>

namespace {

class Thread {
public:
    virtual ~Thread() = default;
    void start() {
        thread_ = std::thread(&Thread::run, this);
    }
    void join() {
        thread_.join();
    }

protected:
    virtual void run() = 0;

private:
    std::thread thread_;
};

class Reducer : public Thread {
    void run() override {
        MPI_Allreduce(MPI_IN_PLACE, &value_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    int value_ = 1;
};

class Gatherer : public Thread {
protected:
    void run() override {
        MPI_Gather(&value_, 1, MPI_INT, all_, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }

private:
    int value_ = 1;
    int all_[100] = {};
};

class Named : public Gatherer {
public:
    const char* name() const { return "gatherer"; }
};

class Scanner : public Thread {
    void run() override {
        MPI_Scan(MPI_IN_PLACE, &value_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* told with the first one */
    }
    int value_ = 1;
};

class Counter : public Thread {
    void run() override {
        ++count_;
    }
    int count_ = 0;
};

void start_both(Thread* one, Thread* other) {
    one->start();
    other->start();
    one->join();
    other->join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Reducer one;
        Reducer other;
        one.start();
        other.start();
        one.join();
        other.join();
    }
    {
        Gatherer one;
        Named other;
        one.start();
        other.start();
        one.join();
        other.join();
    }
    {
        Scanner one;
        Scanner other;
        Counter third;
        start_both(&one, &other);
        start_both(&one, &third);
    }
    MPI_Finalize();
    return 0;
}
