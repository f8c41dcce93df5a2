/* Every OpenMP construct that GCC 12 takes in C: the compiler must not stumble over any, and must
   see what comes behind it: each function ends with a call that needs its level.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <setjmp.h>
#include <stdlib.h>

#define CALL() MPI_Barrier(MPI_COMM_WORLD)

static int shared, other;
static int counts[64];
#pragma omp threadprivate(other)

#pragma omp declare reduction(plus : int : omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp declare simd
static int twice(int x) { return 2 * x; }

#pragma omp declare target
static int on_device(int x) { return x + 1; }
#pragma omp end declare target

static int variant_base(int x) { return x; }
#pragma omp declare variant(variant_base) match(construct = {parallel})
static int varied(int x) { return x; }

void atomics(void) {
    int v;
#pragma omp parallel private(v)
    {
#pragma omp atomic
        shared++;
#pragma omp atomic read
        v = shared;
#pragma omp atomic write
        shared = v;
#pragma omp atomic capture
        { v = shared; shared += 2; }
#pragma omp atomic compare
        shared = shared == 3 ? 4 : shared;
#pragma omp atomic update seq_cst hint(omp_sync_hint_contended)
        shared = shared * 2;
#pragma omp flush
#pragma omp flush(shared)
        CALL();
    }
}

void loops(int n) {
#pragma omp parallel for schedule(dynamic, 2) collapse(2) reduction(plus : shared)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) shared += i * j;
#pragma omp parallel
    {
#pragma omp for simd nowait
        for (int i = 0; i < 64; i++) counts[i] = twice(i);
#pragma omp for ordered(1)
        for (int i = 1; i < 64; i++) {
#pragma omp ordered depend(sink : i - 1)
            counts[i] += counts[i - 1];
#pragma omp ordered depend(source)
        }
#pragma omp for ordered
        for (int i = 0; i < n; i++) {
#pragma omp ordered threads
            CALL();
        }
#pragma omp loop bind(parallel)
        for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp for lastprivate(conditional : shared) schedule(static)
        for (int i = 0; i < n; i++)
            if (counts[i & 63]) shared = i;
        int sum = 0;
#pragma omp for reduction(inscan, + : shared)
        for (int i = 0; i < 64; i++) {
            shared += counts[i];
#pragma omp scan inclusive(shared)
            counts[i] = shared;
        }
        (void)sum;
    }
#pragma omp simd safelen(4) linear(n)
    for (int i = 0; i < 64; i++) counts[i] = i;
#pragma omp parallel for simd
    for (int i = 0; i < 64; i++) counts[i] = i;
#pragma omp parallel loop
    for (int i = 0; i < 64; i++) counts[i] = i;
#pragma omp parallel
    CALL();
}

void one_thread(int n) {
    int copy = n;
#pragma omp parallel firstprivate(copy)
    {
#pragma omp single copyprivate(copy)
        { copy = 1; CALL(); }
#pragma omp single nowait
        CALL();
#pragma omp master
        CALL();
#pragma omp masked filter(n)
        CALL();
#pragma omp masked
        CALL();
#pragma omp scope reduction(+ : shared)
        { shared++; }
#pragma omp scope
        CALL();
#pragma omp sections private(copy)
        {
            CALL();
#pragma omp section
            CALL();
        }
#pragma omp critical(named) hint(omp_sync_hint_none)
        CALL();
#pragma omp critical
        CALL();
#pragma omp barrier
        CALL();
    }
#pragma omp parallel sections
    {
#pragma omp section
        CALL();
#pragma omp section
        { if (n) exit(1); }
    }
#pragma omp parallel master
    CALL();
#pragma omp parallel masked
    CALL();
#pragma omp parallel
    CALL();
}

void tasks(int n) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) priority(2) untied
        CALL();
#pragma omp task depend(in : x) depend(mutexinoutset : y) if (n) final(n > 2) mergeable
        CALL();
        omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp task depend(depobj : d)
        CALL();
#pragma omp depobj(d) update(in)
#pragma omp depobj(d) destroy
#pragma omp task depend(iterator(i = 0 : 4), in : counts[i])
        CALL();
#pragma omp taskwait depend(in : x)
#pragma omp taskyield
#pragma omp taskgroup task_reduction(+ : shared)
        {
#pragma omp task in_reduction(+ : shared)
            shared++;
        }
#pragma omp taskloop grainsize(4) nogroup
        for (int i = 0; i < n; i++) CALL();
#pragma omp taskloop simd num_tasks(3)
        for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp taskloop reduction(+ : shared)
        for (int i = 0; i < n; i++) shared++;
        omp_event_handle_t event;
#pragma omp task detach(event)
        omp_fulfill_event(event);
#pragma omp taskwait
        CALL();
    }
#pragma omp parallel master taskloop
    for (int i = 0; i < n; i++) CALL();
#pragma omp parallel masked taskloop simd
    for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp parallel
    CALL();
}

void devices(int n) {
    int x = n;
#pragma omp target data map(tofrom : x)
    {
#pragma omp target map(x)
        x = on_device(x);
#pragma omp target update from(x)
        CALL();
    }
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(from : x)
#pragma omp target teams distribute parallel for simd map(tofrom : counts)
    for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp target nowait depend(out : x) map(x)
    x++;
#pragma omp target parallel
    { x = omp_get_thread_num(); }
#pragma omp target simd
    for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp taskwait
#pragma omp teams num_teams(1)
    {
#pragma omp distribute
        for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp parallel
        CALL();
    }
#pragma omp teams loop
    for (int i = 0; i < 64; i++) counts[i]++;
#pragma omp parallel
    CALL();
}

void cancelled(int n) {
#pragma omp parallel
    {
        if (n) {
#pragma omp cancel parallel
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (i == 3) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections if (n)
            }
        }
#pragma omp barrier
        CALL();
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp cancel taskgroup
#pragma omp cancellation point taskgroup
        }
    }
#pragma omp parallel
    CALL();
}

static jmp_buf place;

void jumps(int n) {
    if (setjmp(place)) return;
#pragma omp parallel num_threads(n) proc_bind(close) default(shared) if (n > 1)
    {
        jmp_buf inner;
        if (!setjmp(inner)) longjmp(inner, 1);
        for (;;) {
            if (n == omp_get_thread_num()) break;
            if (n > 12) abort();
        }
        while (n > 100) {
        }
        switch (n) {
            case 0: CALL(); break;
            case 1:
#pragma omp master
                CALL();
                break;
            default: break;
        }
    }
    static void* labels[] = {&&first, &&second};
    goto* labels[n & 1];
first:
#pragma omp parallel
    CALL();
second:
#pragma omp parallel
    CALL();
}

void endless(void) {
#pragma omp parallel
    for (;;) CALL();
}

void nested(int n) {
    auto int inner(int);
    int inner(int k) {
        int sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            sum += n + k;
            CALL();
        }
        return sum;
    }
#pragma omp parallel
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        shared = inner(n);
    }
#pragma omp metadirective_is_unknown_here
#pragma omp assume_is_unknown_here
#pragma omp parallel allocate(n) firstprivate(n)
    CALL();
#pragma omp nothing
#pragma omp error at(execution) severity(warning) message("seen")
#pragma omp parallel
    CALL();
}

void dynamic_arrays(int n) {
    int array[n];
    double complex_sum = __real__(1.0 + 2.0i);
    struct { int bits : 3; } field = {1};
#pragma omp parallel firstprivate(array, field) reduction(+ : complex_sum)
    {
        array[0] = field.bits;
        complex_sum += array[0];
        CALL();
    }
    __asm__ volatile("" : : : "memory");
#pragma omp parallel for reduction(+ : array[0 : n])
    for (int i = 0; i < n; i++) array[i]++;
#pragma omp parallel
    CALL();
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    atomics();
    loops(argc);
    one_thread(argc);
    tasks(argc);
    devices(argc);
    cancelled(argc);
    jumps(argc);
    nested(argc);
    dynamic_arrays(argc);
    if (argc > 9) endless();
    MPI_Finalize();
    return varied(0);
}
