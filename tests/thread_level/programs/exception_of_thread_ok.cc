// required: MPI_THREAD_SERIALIZED
// The process ends where the function of a thread throws, before its report is sent: nobody catches
// the exception, and the report waits for no lock.
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <mpi.h>

std::mutex turn;

// Sends what has been counted, by who has got the lock.
class Report {
public:
    ~Report() {
        MPI_Send(&count_, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
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
    std::thread counting(count_words, std::ref(words));
    int hello = 0;
    turn.lock();
    MPI_Send(&hello, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    turn.unlock();
    counting.join();
    MPI_Finalize();
}
