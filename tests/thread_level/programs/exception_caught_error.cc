// required: MPI_THREAD_MULTIPLE
// The way of an exception is executed where a caller catches it: what is destroyed there ends MPI
// while a thread still receives. So it is where a function that is called must not throw: that ends
// the process only behind it.
#include <pthread.h>

#include <cstdio>
#include <exception>
#include <vector>

#include <mpi.h>

namespace {

class Session {
public:
    Session() {
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
    }
    ~Session() { MPI_Finalize(); }
};

void* first(void*) {
    int x = 0;
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-finalize
    return nullptr;
}

void* second(void*) {
    int x = 0;
    MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-finalize
    return nullptr;
}

void stop(pthread_t thread, int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    pthread_join(thread, nullptr);
}

// main catches what this throws, by way of another function.
void with_catch(std::vector<int>& numbers) {
    Session session;
    pthread_t thread;
    pthread_create(&thread, nullptr, first, nullptr);
    numbers.push_back(1);
    stop(thread, 1);
}

void between(std::vector<int>& numbers) {
    with_catch(numbers);
    std::printf("%zu\n", numbers.size());
}

// Called by what must not throw.
void without_throw(std::vector<int>& numbers) {
    Session session;
    pthread_t thread;
    pthread_create(&thread, nullptr, second, nullptr);
    numbers.push_back(1);
    stop(thread, 2);
}

void must_not_throw(std::vector<int>& numbers) noexcept {
    without_throw(numbers);
}

}  // namespace

int main(int count, char**) {
    std::vector<int> numbers;
    if (count == 1) {
        try {
            between(numbers);
        } catch (const std::exception& problem) {
            std::puts(problem.what());
        }
    } else {
        must_not_throw(numbers);
    }
}
