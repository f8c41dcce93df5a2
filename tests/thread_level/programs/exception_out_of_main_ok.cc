// required: MPI_THREAD_MULTIPLE
// What an exception would destroy on its way out of main, and out of what main calls, nobody ever
// destroys: as no one catches it, the process ends where it is thrown. So MPI is ended behind the
// joins only.
#include <pthread.h>

#include <cstdlib>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include <mpi.h>

class Session {
public:
    Session() {
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
    }
    ~Session() { MPI_Finalize(); }
};

// The thread is a member, and another function waits for it.
class Collector {
public:
    void begin() {
        thread_ = std::thread([this] {
            double part = 0;
            for (int i = 0; i < 10; ++i) {
                MPI_Recv(
                    &part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                sum_ += part;
            }
        });
    }
    void end() { thread_.join(); }
    double sum() const { return sum_; }

private:
    std::thread thread_;
    double sum_ = 0;
};

static std::map<std::string, double> read_weights(const char* text) {
    std::map<std::string, double> weights;
    if (text == nullptr) throw std::invalid_argument("no weights");
    weights["all"] = std::stod(text);
    return weights;
}

static void* report(void*) {
    int done = 0;
    MPI_Recv(&done, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return nullptr;
}

// Called by main, and by nobody who catches anything.
void simulate(const char* text) {
    Session session;
    pthread_t reporter;
    pthread_create(&reporter, nullptr, report, nullptr);
    Collector collector;
    collector.begin();
    const std::map<std::string, double> weights = read_weights(text);
    for (const auto& [name, weight] : weights)
        MPI_Send(&weight, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
    collector.end();
    pthread_join(reporter, nullptr);
}

// What is caught in here does not matter to what main has made.
static double scale(const char* text) {
    try {
        return read_weights(text).at("all");
    } catch (const std::exception&) {
        return 1;
    }
}

int main(int count, char** arguments) {
    if (scale(count > 1 ? arguments[1] : nullptr) == 0) return EXIT_FAILURE;
    simulate(arguments[1]);
}
