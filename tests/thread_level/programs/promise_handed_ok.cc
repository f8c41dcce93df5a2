// A promise that a function sets, by a pointer.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <future>
#include <thread>
int value;
static void notify(std::promise<void>* p) { p->set_value(); }
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    {
        std::promise<void> done;
        std::thread t([&] {

            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
            notify(&done);
        });
        done.get_future().wait();
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        t.join();
    }
    MPI_Finalize();
}
