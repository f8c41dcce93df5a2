/* A class starts a thread for each of its objects; what that does is a virtual function, which classes derived from it have. The
   object tells which one is meant: one thread reduces, one writes, one keeps what a class in between does.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

#include <memory>
#include <thread>

namespace {

class Thread {
public:
    virtual ~Thread() = default;
    void start() {
        prepare();
        thread_ = std::thread(&Thread::run, this);
    }
    void join() {
        thread_.join();
    }

protected:
    virtual void prepare() {}
    virtual void run() = 0;

private:
    std::thread thread_;
};

class Reducer : public Thread {
    void run() override {
        MPI_Allreduce(MPI_IN_PLACE, &value_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    int value_ = 1;
};

class Writer : public Thread {
public:
    int lines() const { return lines_; }

protected:
    void run() override {
        ++lines_;
    }

private:
    int lines_ = 0;
};

class Printer : public Writer {
    void prepare() override {
        pages_ = 1;
    }
    int pages_ = 0;
};

class Job {
public:
    virtual ~Job() = default;
    void begin() {
        pthread_create(&thread_, nullptr, enter, this);
    }
    void end() {
        pthread_join(thread_, nullptr);
    }

private:
    static void* enter(void* job) {
        static_cast<Job*>(job)->execute();
        return nullptr;
    }
    virtual void execute() = 0;
    pthread_t thread_{};
};

class Broadcast : public Job {
    void execute() override {
        MPI_Bcast(&value_, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    int value_ = 0;
};

class Count : public Job {
    void execute() override {
        ++count_;
    }
    int count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    {
        Reducer reducer;
        Writer writer;
        Printer printer;
        reducer.start();
        writer.start();
        printer.start();
        printer.join();
        writer.join();
        reducer.join();
    }
    {
        Broadcast broadcast;
        Count count;
        Job* const first = &broadcast;
        first->begin();
        count.begin();
        count.end();
        first->end();
    }
    {
        Reducer reducer;
        Writer writer;
        std::thread one(&Writer::lines, &writer);
        reducer.start();
        one.join();
        reducer.join();
    }
    MPI_Finalize();
    return 0;
}
