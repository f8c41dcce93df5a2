/// libmpi_thread_level_checks.so: what the compiler plugin cannot decide, looked at while the
/// program runs. The plugin inserts calls of these five functions; a program may also contain them
/// by hand, in C, too.
///
/// A site is an MPI call in the source. What is checked of each execution, per process:
///
/// - its context (the paper's CC_ipw): the main thread outside of active parallel regions needs
///   MPI_THREAD_SINGLE (0), inside FUNNELED (1), another thread SERIALIZED (2). Unknown before MPI
///   is initialized and after it is finalized.
/// - what it may meet (CC_cc): two threads of a team that execute sites between the same two
///   barriers, with no lock in common, are *unordered*: nothing keeps them apart, even if they did
///   not overlap this time. Two calls under way at the same time are *overlapped*, whichever
///   threads make them. Two collective operations on one communicator of which nothing says which
///   comes first in this process are *collectives*, locks in common or not.
///
/// What is wrong with the level that MPI provides is said on standard error, once. With
/// MPI_THREAD_LEVEL_REPORT=DIRECTORY in the environment all that was seen is appended to
/// DIRECTORY/HOST.PID.run, each line when it is first true. Words are separated by tabs, but for
/// those of the first three kinds:
///
///     mpi-thread-level-run 1     starts a run; the file has several if the process was replaced
///     rank R                     in MPI_COMM_WORLD, when known
///     provided N                 0 to 3, when known
///     site ID SITE               first execution; counts from 0, goes on in a forked process
///     context ID LEVEL           0 to 2, each time that the highest level of the site rises
///     pair KIND ID ID            `unordered`, `overlapped` or `collectives`; lower ID first
///
/// Nothing is said of executions that conditions, semaphores, atomic writes or `ordered depend` may
/// order, nor, but for overlaps, of explicit tasks and of threads that are in no team.
///
/// The library is linked in front of libgomp and libc: it learns of teams, barriers and locks by
/// functions of its own with the names of theirs, which call them.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Right before an MPI call. `site` is a string literal of fields that tabs separate: `1`, flags,
/// form of the communicator, procedure, function, line, column, file. Flags: `-`, or
///   c  collective on its communicator
///   s  in a `single`, `section` or deferred task of the same function, with no parallel region in
///      between: which thread executes it is a matter of chance. Then SERIALIZED is needed even if
///      it is the main thread this time, and what one thread executes in two such constructs
///      between the same two barriers is unordered, too
/// Form of the communicator, which is the argument behind `site`: `i` an int, `p` a pointer,
/// `r` a pointer to an int, `-` there is none.
void mpi_thread_level_call(const char* site, ...);

/// Right behind it; not reached if the call throws, jumps or never returns.
void mpi_thread_level_return(const char* site);

/// Right before an atomic write that may hand something on to another thread.
void mpi_thread_level_turn(void);

/// First and last in the body of an explicit task, or of a task of a taskloop.
void mpi_thread_level_task_begin(void);
void mpi_thread_level_task_end(void);

#ifdef __cplusplus
}
#endif
