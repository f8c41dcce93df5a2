/* Shared pointers that are copied to where they outlive the function, so that the thread of their object goes on behind it; and one
   whose object's thread sends beside the function that has made it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

template <int TAG>
class Service {
public:
    Service() : worker_(run) {}
    ~Service() {
        worker_.join();
    }

private:
    static void run();

    std::thread worker_;
};

template <>
void Service<1>::run() {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-finalize */
}
template <>
void Service<2>::run() {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* told with the one above */
}
template <>
void Service<3>::run() {
    int value = 0;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

std::vector<std::shared_ptr<Service<1>>> kept;
std::shared_ptr<Service<2>> last;

void keep() {
    auto service = std::make_shared<Service<1>>();
    kept.push_back(service);
}

void set_last() {
    std::shared_ptr<Service<2>> service(new Service<2>);
    last = std::move(service);
}

void send_beside() {
    std::shared_ptr<Service<3>> service(new Service<3>);
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    send_beside();
    keep();
    set_last();
    MPI_Finalize();
    return 0;
}
