/* Guards that have one of the library's as a member or a base, or one of the program's: the calls
   are in their scopes, in which others come and go.
   required: MPI_THREAD_SERIALIZED */
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

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        TableAccess access(table_mutex);
        int row = access.next();
        {
            const LogAccess log(log_mutex);
            ++row;
        }
        MPI_Send(&row, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
#pragma omp parallel
    {
        const LogAccess log(log_mutex);
        int row = 0;
        {
            Transaction transaction(table_mutex);
            row = transaction.number;
        }
        MPI_Send(&row, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    }
#pragma omp parallel
    {
        Transaction transaction(table_mutex);
        int row = table.open().next();
        MPI_Send(&row, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    }
#pragma omp parallel
    {
        TableAccess access = table.open();
        int row = access.next();
        MPI_Send(&row, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
    }
    MPI_Finalize();
}
