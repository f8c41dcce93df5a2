// Threads hand on what others wait for by promises, in the wrong places.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <future>
#include <thread>

namespace {

int value;

void too_early() {
    std::promise<void> done;
    std::future<void> is_done = done.get_future();
    std::jthread thread([&done] {
        done.set_value();
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    is_done.get();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void too_early_moved(std::promise<int> done) {
    done.set_value(1);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
}

void moved() {
    std::promise<int> done;
    std::future<int> is_done = done.get_future();
    std::thread thread(too_early_moved, std::move(done));
    is_done.wait();
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void waits_too_late() {
    std::promise<void> go;
    std::future<void> may_go = go.get_future();
    std::thread thread([&may_go] {
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
        may_go.wait();
    });
    MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    go.set_value();
    thread.join();
}

void in_rounds() {
    for (int i = 0; i < 4; ++i) {
        std::promise<void> done;
        std::future<void> is_done = done.get_future();
        std::thread thread([&done] {
            MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);  // expect: mpi-thread-level
            done.set_value();
        });
        MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        is_done.get();
        thread.join();
    }
}

void of_first(std::promise<void>& done, bool is_first) {
    MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF);  // expect: mpi-thread-level
    if (is_first) done.set_value();
}

void by_the_first() {
    std::promise<void> done;
    std::thread first(of_first, std::ref(done), true);
    std::thread second(of_first, std::ref(done), false);
    done.get_future().wait();
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    first.join();
    second.join();
}

void shared() {
    std::promise<void> go;
    std::shared_future<void> may_go = go.get_future().share();
    std::thread thread([may_go] {
        may_go.wait();
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    go.set_value();
    MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void in_closure() {
    std::promise<int> done;
    std::future<int> is_done = done.get_future();
    std::thread thread([done = std::move(done)]() mutable {
        done.set_value(1);
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    value = is_done.get();
    MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void packaged() {
    std::packaged_task<int(int)> task([](int tag) {
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-thread-level
        return tag;
    });
    std::future<int> is_done = task.get_future();
    std::thread thread(std::move(task), 8);
    MPI_Recv(&value, 1, MPI_INT, 0, 8, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    value = is_done.get();
    thread.join();
}

void of_another() {
    std::promise<int> done;
    std::promise<int> other;
    std::future<int> is_done = done.get_future();
    is_done = other.get_future();
    std::thread thread([&done] {
        MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF);  // expect: mpi-thread-level
        done.set_value(1);
    });
    other.set_value(2);
    value = is_done.get();
    MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

std::promise<void>* kept;

void by_pointer() {
    std::promise<void> done;
    kept = &done;
    std::thread thread([&done] {
        if (value == 0) kept->set_value();
        MPI_Send(&value, 1, MPI_INT, 0, 10, MPI_COMM_SELF);  // expect: mpi-thread-level
        if (value != 0) done.set_value();
    });
    done.get_future().get();
    MPI_Recv(&value, 1, MPI_INT, 0, 10, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

void beside_another() {
    std::future<void> result = std::async(std::launch::async, [] {});
    std::thread thread([] {
        MPI_Send(&value, 1, MPI_INT, 0, 11, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    result.get();
    MPI_Recv(&value, 1, MPI_INT, 0, 11, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    too_early();
    moved();
    waits_too_late();
    in_rounds();
    by_the_first();
    shared();
    in_closure();
    packaged();
    of_another();
    by_pointer();
    beside_another();
    MPI_Finalize();
}
