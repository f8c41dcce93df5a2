/* Boost's threads, and what is in the library of Boost.MPI. Its headers need not be there.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

namespace boost {

class thread {
public:
    template <class F>
    explicit thread(F f);
    void join();
    ~thread();
};

namespace _bi {
template <class R, class F, class L>
struct bind_t {
    F f_;
    L l_;
};
template <class T>
struct list1 {
    T first;
};
}  // namespace _bi

template <class R, class T>
_bi::bind_t<R, R (T::*)(), _bi::list1<T*>> bind(R (T::*f)(), T* object) {
    return {f, {object}};
}

namespace mpi {

namespace threading {
enum level { single, funneled, serialized, multiple };
}

class environment {
public:
    environment(int& argc, char**& argv, threading::level level, bool abort = true);
    ~environment();
};

class communicator {
public:
    int rank() const;
    void barrier() const;
};

}  // namespace mpi
}  // namespace boost

namespace {

struct Sender {
    int value = 0;
    void send() {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    }
};

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv, boost::mpi::threading::serialized);
    const boost::mpi::communicator world;
    Sender sender;
    boost::thread thread(boost::bind(&Sender::send, &sender));
    thread.join();
#pragma omp parallel
#pragma omp master
    world.barrier();
}
