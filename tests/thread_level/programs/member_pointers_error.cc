/* A pointer to a member is for functions of its class, and of classes above and below.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <thread>

namespace {

struct Base {
    int rank = 0;
    virtual ~Base() = default;
    virtual void work() {}
    void size() {
        MPI_Comm_size(MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
    }
};

struct Derived final : Base {
    void work() override {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
    }
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    Derived derived;
    Base* base = &derived;
    std::thread(&Base::work, base).join();
    void (Derived::*above)() = argc > 1 ? &Derived::work : &Derived::size;
    std::thread(above, &derived).join();
    MPI_Finalize();
}
