/// A recorded run in memory, from short statements: for tests of what reads model/execution.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/execution.h"

namespace mqinspect::test {

/// A recording of `processes` processes of one world (more with `world`), from statements, one
/// on each line; what follows a '#' is a comment. A statement that cannot be understood throws
/// std::invalid_argument with its text.
///
/// Calls:   PROCESSES: MPI_Send(dest=1, count=4, tag=7) @a.c:10
///     PROCESSES is "0", "0,2", "0-3", "*" (all), and "0/1" for thread 1 of process 0. Parameters
///     have the standard's names and come in any order; results are given among them. Left out:
///     buf 0x1000 (sendbuf 0x1000, recvbuf 0x100000), count 1, datatype MPI_INT, tag 0, comm
///     MPI_COMM_WORLD, op MPI_SUM, flag 1, other values 0, other handles null.
///     Handles are names: request=r1 is made by the call that has it as a result. Lists are
///     [a, b]; a status is [source, tag, bytes, cancelled], of which the last two may be missing.
///     The status of a receive from a named source may be left out; without one, a wildcard's is
///     not known. What completion calls do to requests follows from flag, index, outcount,
///     array_of_indices. After the parameters: "= -" it did not return, "= 15" it returned this
///     error code;
///     "@a.c:10" where (image "a.c", offset 10).
/// Ends:    0: signal 11      0: abort 3      0: exit 1      0: error 15 MPI_ERR_TRUNCATE text
///     The class of the error belongs to the code then.
///     Without one a process whose MPI_Finalize returned has finalized; the others were killed.
///     *: run 5000000000      the command ended at that time, in nanoseconds; calls take some
///     0: incomplete          a part of its record is missing
///     0: threads MPI_THREAD_MULTIPLE          the level that was provided
///     0: threads communicate                  two of them at least do
/// Memory:  0: stores 0x5000 4 @a.c:10     0: loads 0x5000 1 @a.c:11
///     What the program does in a window of its own; a store's place may be left out.
/// Things:  communicator row parent=MPI_COMM_WORLD constructor=MPI_Comm_split members=[0,1]
///              remote=[2,3] topology=cartesian sources=[[1],[0]] destinations=[[1],[0]]
///          datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)     integers; addresses; types
///          operator mine function=app+0x10 commutes=0
///          window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000,64,1],[0x5000,64,1]]
///          file f = "data.bin"
///          world 2            two more processes, in a world of their own
///     Predefined communicators, datatypes (size and extent as on x86-64), operators are there.
///     MPI_COMM_WORLD and MPI_COMM_SELF are those of the process that calls.
std::unique_ptr<model::Recording> recording_of(int processes, std::string_view statements);

/// "a.c:10": the place that a statement gave; "?" if none.
std::string place_of(const model::Execution& execution, model::StackId stack);

}  // namespace mqinspect::test
