// A promise that is set anew is not the one that a future is of.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <future>
#include <thread>
int value;
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        std::promise<void> a;
        a.set_value();
        std::future<void> f = a.get_future();
        a = std::promise<void>();
        std::thread t([&] {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
            a.set_value();
        });
        f.get();
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        t.join();
    }
    MPI_Finalize();
}
