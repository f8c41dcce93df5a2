// Threads hand on the turn by promises and futures.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <future>
#include <thread>

namespace {

int value;

void send(int tag) {
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

void receive(int tag) {
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void by_reference() {
    std::promise<void> done;
    std::future<void> is_done = done.get_future();
    std::jthread thread([&done] {
        send(1);
        done.set_value();
    });
    is_done.get();
    receive(1);
}

void send_and_tell(std::promise<int> done) {
    send(2);
    done.set_value(1);
}

void moved() {
    std::promise<int> done;
    std::future<int> is_done = done.get_future();
    std::thread thread(send_and_tell, std::move(done));
    is_done.wait();
    receive(2);
    thread.join();
}

void by_starter() {
    std::promise<void> go;
    std::future<void> may_go = go.get_future();
    std::thread thread([&may_go] {
        may_go.wait();
        send(3);
    });
    receive(3);
    go.set_value();
    thread.join();
}

void by_moved_future(std::future<int> may_go) {
    value = may_go.get();
    send(4);
}

void future_moved() {
    std::promise<int> go;
    std::thread thread(by_moved_future, go.get_future());
    receive(4);
    go.set_value(4);
    thread.join();
}

void in_closure() {
    std::promise<int> done;
    std::future<int> is_done = done.get_future();
    std::thread thread([done = std::move(done)]() mutable {
        send(5);
        done.set_value(1);
    });
    value = is_done.get();
    receive(5);
    thread.join();
}

void shared() {
    std::promise<void> go;
    std::shared_future<void> may_go = go.get_future().share();
    std::thread thread([may_go] {
        may_go.wait();
        send(6);
    });
    receive(6);
    go.set_value();
    thread.join();
}

void in_rounds() {
    for (int i = 0; i < 4; ++i) {
        std::promise<void> done;
        std::future<void> is_done = done.get_future();
        std::thread thread([&done] {
            send(7);
            done.set_value();
        });
        is_done.get();
        receive(7);
        thread.join();
    }
}

void packaged() {
    std::packaged_task<int(int)> task([](int tag) {
        send(tag);
        return tag;
    });
    std::future<int> is_done = task.get_future();
    std::thread thread(std::move(task), 8);
    value = is_done.get();
    receive(8);
    thread.join();
}

std::promise<void> static_go;
std::future<void> static_may_go = static_go.get_future();

void by_static() {
    std::thread thread([] {
        static_may_go.wait();
        send(9);
    });
    receive(9);
    static_go.set_value();
    thread.join();
}

void with_exception() {
    std::promise<int> done;
    std::future<int> is_done = done.get_future();
    std::thread thread([&done] {
        try {
            send(10);
            done.set_value(10);
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    });
    value = is_done.get();
    receive(10);
    thread.join();
}

class Courier {
public:
    void run() {
        send(11);
        sent_.set_value();
    }
    void wait() { sent_.get_future().wait(); }

private:
    std::promise<void> sent_;
};

void by_member() {
    Courier courier;
    std::thread thread([&courier] { courier.run(); });
    courier.wait();
    receive(11);
    thread.join();
}

void by_async() {
    std::future<void> sent = std::async(std::launch::async, send, 12);
    std::future<void> kept = std::move(sent);
    kept.wait();
    receive(12);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_reference();
    moved();
    by_starter();
    future_moved();
    in_closure();
    shared();
    in_rounds();
    packaged();
    by_static();
    with_exception();
    by_member();
    by_async();
    MPI_Finalize();
}
