/// A JobSnapshot as text that a person can read and write.
///
/// The language of the analysis tests. One statement per line; blanks separate
/// words; `#` starts a comment; "quoted words" may hold blanks and the escapes
/// \" \\ \n \xHH. Anything left out has the default named here.
///
///     communicator 0 "MPI_COMM_WORLD"              # members: default, all ranks
///     communicator 1 "grid" members 0-3,6
///     communicator 2 "bridge" members 0 1 remote 2 3     # an intercommunicator
///     rank 0 blocked MPI_Recv source 1 tag 7 comm 0 at ring.c:14
///     rank 0 posted source 1 tag 7 bytes 4 own
///     rank 1-3 blocked MPI_Barrier comm 1 at grid.c:20
///     rank 4 running in compute at loop.c:12
///     rank 5 exited
///     rank 6 unreadable problem "permission denied"
///
/// Without a `communicator` line there is communicator 0, MPI_COMM_WORLD, with
/// all ranks, of whatever world; `no_communicators` means none. Communicators are numbered from 0
/// in order of appearance. Every rank needs one state line; a line may name
/// several ranks (0-3,5). `?` is an unknown number; in lists, `none` is empty.
///
///     job [launcher S] [mpi S] [dll S] [types S]... [stopped_ms X] [total_ms X]
///     host S
///     problem S
///     source FILE LINE [first N] [remark S]
///     source_line S                         one for each, of the `source` above
///     world SIZE                            one for each MPI_COMM_WORLD, if there are several
///     communicator N NAME [internal] [inter] [members LIST] [remote LIST]
///     rank N STATE [FUNCTION or call FUNCTION] WORD...
///     rank N frame FUNCTION [at FILE:LINE] [pc X] [image S]
///     rank N signal NUMBER NAME [address X] [sender PID]
///     rank N member COMM COMM_RANK [handle X] [address X] [started X]
///     rank N posted|unexpected|send|collective WORD...
///     rank N window COMM WORD...
///     rank N also FUNCTION WORD...          a call of another thread of the rank
///
/// STATE is blocked, running, exited or unreadable; a FUNCTION that starts with
/// MPI needs no `call`. Words after a call, all unknown by default:
///     comm N     source PEER  to PEER  root PEER     at FILE:LINE
///     tag T|any  (of a send, else of a receive)      send_tag T  receive_tag T  any_tag
///     arg NAME TEXT           one argument as shown
///     moved N                 bytes of one-sided operations that need not be complete
///     ops LIST                numbers of its operations, counted over all `posted`,
///                             `unexpected`, `send` and `collective` lines from 0
///     requests ITEM...        null, finished, ?, op=N, h=HANDLE, joined by +; or none
/// and after any state:
///     pid N  host S  identity X  progress X  incoming X  problem S  queues  no_queues  no_members
///     suspended                      by job control
///     receives_known  sends_known    parts of queues that are known although no_queues
/// Without a call, `in FUNCTION at FILE:LINE` is a stack of one frame. Queues are
/// known for blocked and running ranks. Memberships follow from the communicators
/// unless `member` lines or `no_members` say otherwise.
///
/// A PEER is a rank in the communicator, with `@W` the rank in the world (@? if
/// unknown; default: what the communicator says); or next, prev (neighbors in
/// the communicator), any, null (MPI_PROC_NULL), root (MPI_ROOT).
///
/// Words of an operation; `comm` is 0 by default:
///     comm N  source PEER  to PEER  any_source  tag T|any  any_tag  bytes N  count N
///     type S  by FUNCTION  mode standard|synchronous|ready|buffered
///     protocol eager|rendezvous|self  matched  complete  persistent  internal
///     synchronous  doubtful  sequence N  receives LIST  sends LIST  request X  part_of X
///     address X  active_address X  buffer X  text S
///     own      it is an operation of the rank's blocking call
///     waited   the rank's Wait call names it
///
/// Words of a window, all ranks in the world; TYPE is none, shared or exclusive:
///     name S  handle X  bytes N  flavor create|allocate|shared|dynamic  shared_memory
///     access fence|start|lock|lock_all|unknown  access_granted  started LIST
///     exposure post|unknown  posted LIST  completions_missing N  locks_missing N
///     answers_awaited  posts_received N
///     lock TYPE  holders N  waiter RANK TYPE
///     target RANK unlocked|called|requested|granted TYPE [operations N]
///     request X RANK
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/job_snapshot.h"

namespace mqinspect::model {

/// The text of a snapshot. Parsing it gives an equal snapshot, if the subscripts
/// in the snapshot are those that job_snapshot.h promises.
std::string print_snapshot(const JobSnapshot& snapshot);

/// InvalidArgument with "line N: ..." for text that breaks the rules, or that
/// stands for more than about a million ranks.
Result<JobSnapshot> parse_snapshot(std::string_view text);

}  // namespace mqinspect::model
