/* Threads that a container makes, by their function and by a member function, with no lock.
   required: MPI_THREAD_MULTIPLE */
#include <thread>
#include <vector>

#include <mpi.h>

namespace {

void work(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

struct Crew {
    void run() { MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */ }
    int tag = 0;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    Crew crew;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back(work, i);
        threads.emplace_back(&Crew::run, &crew);
    }
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
