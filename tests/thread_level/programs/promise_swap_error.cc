// Promises that change places.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <future>
#include <thread>
int value;
static void set(std::promise<void>& p) { p.set_value(); }
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        std::promise<void> a, b;
        auto fa = a.get_future();
        auto fb = b.get_future();
        std::swap(a, b);
        std::thread t([&] {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
            a.set_value();
        });
        set(b);
        fa.get();
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        t.join();
    }
    MPI_Finalize();
}
