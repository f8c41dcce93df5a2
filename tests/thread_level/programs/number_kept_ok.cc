/* The thread number where an object, or a variable of each thread, keeps it.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

namespace {

class Member {
public:
    Member() : id_(omp_get_thread_num()), size_(omp_get_num_threads()) {}
    bool is_first() const {
        return id_ == 0;
    }
    int id() const {
        return id_;
    }
    int size() const {
        return size_;
    }

private:
    int id_;
    int size_;
};

struct Context {
    int number = -1;
};

int own_number = 0;
#pragma omp threadprivate(own_number)

void exchange(const Context* context) {
    if (context->number == 0) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const Member member;
        Context context;
        context.number = omp_get_thread_num();
        own_number = omp_get_thread_num();
        if (member.is_first()) MPI_Barrier(MPI_COMM_WORLD);
        if (member.id() == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (own_number == 0) MPI_Barrier(MPI_COMM_WORLD);
        exchange(&context);
    }
    MPI_Finalize();
}
