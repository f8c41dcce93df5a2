/* What an object keeps is something else than the number of the thread, or now and then.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

namespace {

class Member {
public:
    Member() : id_(omp_get_thread_num()), size_(omp_get_num_threads()) {}
    bool is_alone() const {
        return size_ == 2;
    }
    int id() const {
        return id_;
    }

private:
    int id_;
    int size_;
};

struct Context {
    int number = -1;
};

void shift(Context* context) {
    context->number = context->number / 2;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        int value = 0;
        const Member member;
        Context context;
        context.number = omp_get_thread_num();
        shift(&context);
        if (member.is_alone()) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp barrier
        if (context.number == 0) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
#pragma omp barrier
        if (member.id() != 0) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    }
    MPI_Finalize();
}
