// required: MPI_THREAD_MULTIPLE
// A future keeps what the function of its thread throws: until then, all is destroyed that it has,
// and the report is sent without the lock.
#include <future>
#include <mutex>
#include <vector>

#include <mpi.h>

std::mutex turn;

// Sends what has been counted, by who has got the lock.
class Report {
public:
    ~Report() {
        MPI_Send(&count_, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);  // expect: mpi-thread-level
        turn.unlock();
    }
    void count() { ++count_; }

private:
    int count_ = 0;
};

static void count_words(std::vector<int>& words) {
    Report report;
    report.count();
    words.push_back(1);
    turn.lock();
}

int main() {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 2);
    std::vector<int> words;
    std::future<void> counting = std::async(std::launch::async, count_words, std::ref(words));
    int hello = 0;
    turn.lock();
    MPI_Send(&hello, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    turn.unlock();
    counting.get();
    MPI_Finalize();
}
