/* Callbacks through pointers whose types differ by names, const and enumerations.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

enum Kind { kOne, kTwo };
typedef struct Thing Thing;
struct Thing { int value; };
typedef const Thing ConstThing;
typedef int (*ByKind)(enum Kind);
typedef void (*ByThing)(ConstThing* const);
typedef void (*BySize)(size_t);
typedef void (*ByBool)(_Bool);
struct Operations { ByKind by_kind; ByThing by_thing; void (*by_size)(uint64_t); ByBool by_bool; void (*by_text)(const char* restrict, ...); };
static int value;
static int send_kind(unsigned kind) {
    return MPI_Send(&value, 1, MPI_INT, 0, (int)kind, MPI_COMM_SELF); /* expect: mpi-thread-level */
}
static void send_thing(Thing* thing) {
    MPI_Send(&thing->value, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
}
static void send_size(unsigned long long size) {
    MPI_Send(&size, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
}
static void send_bool(_Bool yes) {
    MPI_Send(&yes, 1, MPI_C_BOOL, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
}
static void send_text(const char* text, ...) {
    MPI_Send(text, 1, MPI_CHAR, 0, 5, MPI_COMM_SELF); /* expect: mpi-thread-level */
}
static struct Operations operations = {(ByKind)send_kind, (ByThing)send_thing, (void (*)(uint64_t))send_size, send_bool, send_text};
int main(int argc, char** argv) {
    int provided;
    Thing thing = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    struct Operations* o = &operations;
#pragma omp parallel
    o->by_kind(kTwo);
#pragma omp parallel
    o->by_thing(&thing);
#pragma omp parallel
    o->by_size(8);
#pragma omp parallel
    o->by_bool(argc > 1);
#pragma omp parallel
    o->by_text("%d", 8);
    MPI_Finalize();
}
