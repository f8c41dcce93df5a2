/* Objects on the heap with handles, of which each thread has its own, or another element.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static MPI_Status statuses[4];

struct context {
    MPI_Comm comm;
    MPI_Comm other;
    MPI_Request requests[64];
    struct context* next;
};

static struct context contexts[64];
static struct context *current = &contexts[0], *drawn, *first;

static void meet(struct context* context) { MPI_Barrier(context->comm); }

static void finish(struct context* context) { MPI_Wait(&context->requests[0], MPI_STATUS_IGNORE); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    struct context* shared = malloc(sizeof *shared);
    struct context** all = calloc(64, sizeof *all);
    struct context* list = first;
    struct context* each = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &shared->comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &shared->other);
#pragma omp parallel
    {
        struct context* own = malloc(sizeof *own);
        own->comm = MPI_COMM_SELF;
        own->requests[0] = MPI_REQUEST_NULL;
        MPI_Wait(&own->requests[0], MPI_STATUS_IGNORE);
        MPI_Barrier(own->comm);
        meet(own);
        finish(own);
        finish(all[omp_get_thread_num()]);
        MPI_Wait(&shared->requests[omp_get_thread_num()], MPI_STATUS_IGNORE);
        free(own);
    }
#pragma omp parallel private(each)
    {
        each = all[omp_get_thread_num()];
        MPI_Wait(&each->requests[0], MPI_STATUS_IGNORE);
        finish(each);
    }
#pragma omp parallel
    {
        struct context* mine;
#pragma omp critical
        {
            mine = current;
            current = current->next;
        }
        MPI_Wait(&mine->requests[0], MPI_STATUS_IGNORE);
        finish(mine);
    }
#pragma omp parallel
    {
        struct context* mine;
#pragma omp critical
        {
            drawn = all[provided++];
            mine = drawn;
        }
        MPI_Wait(&mine->requests[0], MPI_STATUS_IGNORE);
        finish(mine);
    }
#pragma omp parallel
    {
        struct context* mine;
#pragma omp critical
        {
            mine = list;
            list = list->next;
        }
        MPI_Wait(&mine->requests[1], MPI_STATUS_IGNORE);
        finish(mine);
    }
#pragma omp parallel
#pragma omp single
    for (struct context* at = first; at != NULL; at = at->next) {
#pragma omp task
        MPI_Wait(&at->requests[1], MPI_STATUS_IGNORE);
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Barrier(shared->comm);
#pragma omp section
        MPI_Barrier(shared->other);
#pragma omp section
        MPI_Wait(&shared->requests[0], MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Waitall(2, &shared->requests[1], statuses);
    }
#pragma omp parallel
#pragma omp master
    MPI_Barrier(shared->comm);
    MPI_Finalize();
    return 0;
}
