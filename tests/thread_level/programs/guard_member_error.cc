/* Guards that have one of the library's as a member or a base, or one of the program's: they are
   gone where the calls are.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex table_mutex;
std::mutex log_mutex;
int rows;

class TableAccess {
public:
    explicit TableAccess(std::mutex& mutex) : held_(mutex) {}
    int next() {
        return rows++;
    }

private:
    std::lock_guard<std::mutex> held_;
};

struct LogAccess : std::unique_lock<std::mutex> {
    explicit LogAccess(std::mutex& mutex) : std::unique_lock<std::mutex>(mutex) {}
};

struct Transaction {
    explicit Transaction(std::mutex& mutex) : number(0), access(mutex) {
        number = access.next();
    }
    int number;
    TableAccess access;
};

class Table {
public:
    TableAccess open() {
        return TableAccess(mutex_);
    }

private:
    std::mutex mutex_;
};

Table table;

int draw() {
    Transaction transaction(table_mutex);
    return transaction.number;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        int row = 0;
        {
            TableAccess access(table_mutex);
            row = access.next();
        }
        MPI_Send(&row, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int row = 0;
        {
            const LogAccess access(log_mutex);
            row = rows;
        }
        MPI_Send(&row, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int row = draw();
        MPI_Send(&row, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int row = table.open().next();
        MPI_Send(&row, 1, MPI_INT, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    // Each in the scope of the other's lock.
#pragma omp parallel sections
    {
#pragma omp section
        {
            TableAccess access(table_mutex);
            MPI_Send(&rows, 1, MPI_INT, 0, 5, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
#pragma omp section
        {
            const LogAccess access(log_mutex);
            MPI_Send(&rows, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
        }
    }
    MPI_Finalize();
}
