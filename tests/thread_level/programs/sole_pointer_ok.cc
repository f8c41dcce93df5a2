/* A local shared pointer that nobody copies ends its object, and that joins the thread: each service is over when the function is.
   The constructor of the pointer gives the object up only where it throws.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <memory>
#include <thread>

namespace {

class Service {
public:
    explicit Service(int tag) : worker_(&Service::run, tag) {}
    ~Service() {
        worker_.join();
    }
    int steps() const { return steps_; }

private:
    static void run(int tag) {
        int value = 0;
        MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    std::thread worker_;
    int steps_ = 1;
};

int made(int tag) {
    auto service = std::make_shared<Service>(tag);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    return service ? service->steps() : 0;
}

int given(int tag) {
    std::shared_ptr<Service> service(new Service(tag));
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    return (*service).steps();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    const int steps = made(1) + given(2);
    MPI_Finalize();
    return steps == 2 ? 0 : 1;
}
