// The program's own guards in a std::optional: not made yet, gone, or of other locks.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <mutex>
#include <optional>

namespace {

int value;
std::mutex library;
std::mutex other;

class Hold {
public:
    explicit Hold(std::mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
    ~Hold() { mutex_.unlock(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

private:
    std::mutex& mutex_;
};

void not_yet() {
#pragma omp parallel
    {
        std::optional<Hold> hold;
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
        hold.emplace(library);
    }
}

void gone() {
#pragma omp parallel
    {
        std::optional<Hold> hold;
        hold.emplace(library);
        hold.reset();
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

void of_two_locks() {
#pragma omp parallel sections
    {
#pragma omp section
        {
            std::optional<Hold> hold;
            hold.emplace(library);
            MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
        }
#pragma omp section
        {
            std::optional<Hold> hold;
            hold.emplace(other);
            MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
        }
    }
}

void outside() {
#pragma omp parallel
    {
        {
            std::optional<Hold> hold(std::in_place, library);
        }
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

void under_condition(bool holds) {
#pragma omp parallel
    {
        std::optional<Hold> hold;
        if (holds) hold.emplace(library);
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);  // expect: mpi-conditional-lock
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    not_yet();
    gone();
    of_two_locks();
    outside();
    under_condition(argc > 1);
    MPI_Finalize();
}
