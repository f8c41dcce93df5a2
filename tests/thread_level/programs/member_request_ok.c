/* Elements of arrays in objects: other ones, by the number of the thread, or of another object.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct halo {
    MPI_Request requests[64];
    MPI_Request pairs[2][2];
    MPI_Comm comms[2];
};

static void finish_first(struct halo* halo) { MPI_Wait(&halo->requests[0], MPI_STATUS_IGNORE); }

static void finish_second(struct halo* halo) { MPI_Wait(&halo->requests[1], MPI_STATUS_IGNORE); }

static void finish(struct halo* halo, int i) { MPI_Wait(&halo->requests[i], MPI_STATUS_IGNORE); }

static void finish_own(struct halo* halo) {
    MPI_Wait(&halo->requests[omp_get_thread_num()], MPI_STATUS_IGNORE);
}

static void finish_pair(struct halo* halo) { MPI_Wait(&halo->pairs[0][1], MPI_STATUS_IGNORE); }

static void finish_other_pair(struct halo* halo) {
    MPI_Wait(&halo->pairs[1][0], MPI_STATUS_IGNORE);
}

static void meet(struct halo* halo) { MPI_Barrier(halo->comms[0]); }

static void meet_others(struct halo* halo) { MPI_Barrier(halo->comms[1]); }

int main(int argc, char** argv) {
    int provided;
    struct halo shared = {0};
    static struct halo all[64];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
#pragma omp parallel
    {
        struct halo own = {0};
        finish_first(&own);
        finish_second(&own);
        finish_first(&all[omp_get_thread_num()]);
        finish_own(&shared);
        finish(&shared, omp_get_thread_num());
    }
#pragma omp parallel sections
    {
#pragma omp section
        finish_first(&shared);
#pragma omp section
        finish_second(&shared);
#pragma omp section
        finish_pair(&shared);
#pragma omp section
        finish_other_pair(&shared);
#pragma omp section
        meet(&shared);
#pragma omp section
        meet_others(&shared);
    }
    finish_first(&shared);
    MPI_Finalize();
    return 0;
}
