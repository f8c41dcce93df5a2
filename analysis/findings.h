/// What the analysis of a recorded run has found wrong.
///
/// Classes and names follow the correctness analyzer of K.N. Efimkin and others (Keldysh
/// Institute, 2006, "Means of debugging MPI programs: the analyzer of correctness"), where a
/// class exists there; further ones are ours.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/program_text.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// A closed list. In the comments the analyzer's number, and its name where it differs from the
/// one that name_of gives.
enum class FindingClass {
    Abend,                     ///< I.1
    Abort,                     ///< I.2
    IncompleteCall,            ///< I.3
    UnfinishedSend,            ///< I.4
    UnfinishedReceive,         ///< I.5, "unfinished recv"
    NonfreedRequest,           ///< I.6
    Overlapping,               ///< I.7, I.8, I.12, I.13
    SendChecksum,              ///< I.9
    NonpersistentRequestFree,  ///< I.10, a warning
    WrongRequestFree,          ///< I.10
    RequestCancel,             ///< I.11, a warning
    NonpairedSend,             ///< II.1
    NonpairedReceive,          ///< II.2, "nonpaired recv"
    ReceiveChecksum,           ///< II.3, II.9, "recv checksum"
    IncorrectSendSize,         ///< II.4: shorter than the room; a note, one-sided a warning
    WrongSendSize,             ///< II.4: longer
    WrongDataType,             ///< II.5, II.10
    IncompleteCollective,      ///< II.6, "incomplete gop"
    UnfinishedCollective,      ///< II.7, "unfinished gop"
    IncorrectReceiveSize,      ///< II.8, "incorrect recv size"
    WrongReceiveSize,          ///< II.8, "wrong recv size"
    DifferentReductions,       ///< II.11, "diff reductions"
    WrongRootProcess,          ///< II.12
    PotentialHangUp,           ///< III.1
    RealHangUp,                ///< III.2
    PotentialDeadlock,         ///< III.3
    RealDeadlock,              ///< III.4
    DifferentCollectives,      ///< the same wave of a communicator, different procedures
    MessageRace,               ///< concurrent sends into a wildcard receive
    LeakedCommunicator,
    LeakedGroup,
    LeakedDatatype,
    LeakedOperator,
    LeakedWindow,
    LeakedFile,
    InvalidArgument,
    MpiError,             ///< the MPI library refused a call
    EpochError,           ///< an RMA call outside its epoch, or an epoch never closed
    RmaConflict,          ///< conflicting accesses to a window, or to a local buffer
    PendingBufferAccess,  ///< the program touched the buffer of a pending operation
    UseAfterFree,         ///< of a handle
    MissingFinalize,
    CallOutsideMpi,   ///< before MPI_Init or after MPI_Finalize
    ThreadLevel,      ///< calls that the provided thread level does not allow
    UserDataChanged,  ///< data that the program has put under watch
    LeakedInfo,
    LeakedErrorHandler,
    LeakedAttributeKey,
    FileConflict,      ///< accesses to a file by several processes with nothing to order them
    PendingOperation,  ///< what it works on is given back, or changed, before it is complete
    NotStarted,        ///< a persistent request that is waited for and never started
    LeakedMemory,      ///< of MPI_Alloc_mem
    LeakedPort,
};
inline constexpr int kFindingClasses = static_cast<int>(FindingClass::LeakedPort) + 1;

enum class Severity { Error, Warning, Note };

/// What the protocol and findings[].name call it: "unfinished recv", "potential deadlock".
std::string_view name_of(FindingClass finding_class);

/// A call of a process that a finding is about. With procedure -1 it is no call, but a place in
/// the program, such as that of a crash; `event` does not count then.
struct InvolvedCall {
    model::ProcessId process;
    int thread = 0;
    std::uint64_t event = 0;  ///< RecordedCall::event
    model::ProcedureId procedure;
    model::StackId stack;
    bool returned = false;
    /// What it has to do with it, a few words: "the send", "never matched"; may be empty.
    std::string part;
    /// An anomalous event (the protocol's mark "!") or one that only informs ("i").
    bool anomalous = true;
};

/// The part of a call in front of which memory has changed, where it was not seen what changed it.
inline constexpr std::string_view kBehindChange = "behind the change";

/// Bytes of a process, by their addresses: from `low` on, before `high`.
struct Memory {
    model::ProcessId process;
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// One cause. Equal findings of the same call sites are one with a count.
struct Finding {
    FindingClass finding_class = FindingClass::Abend;
    Severity severity = Severity::Error;
    std::vector<model::ProcessId> processes;  ///< sorted, who is involved
    std::vector<InvolvedCall> calls;          ///< the one to look at first comes first
    std::optional<model::CommunicatorId> communicator;
    /// Whole sentences in the user's words, without names of source files: what is wrong, and
    /// what exactly differs.
    std::string message;
    /// What followed from it and is not reported by itself: one sentence each.
    std::vector<std::string> consequences;
    std::uint64_t count = 1;
    /// Calls of findings that were equal and are counted here: the first few, for what follows
    /// from them.
    std::vector<InvolvedCall> alike;
    /// A process has ended because of it: what others waited for then never came.
    bool ends_process = false;
    /// Of a message that is never paired, and of who waits for one process that has ended: the
    /// process that should have sent or received. Of an operation that is never started: the one
    /// that it would send to or receive from. Empty: not known, none, or any.
    std::optional<model::ProcessId> partner;
    /// What a wrong one-sided operation reaches, or what is freed too early: who crashes there,
    /// crashes because of it.
    std::optional<Memory> reaches;
    /// MPI writes where the process has something else, or nothing: a later crash follows from it.
    bool spoils_memory = false;
};

/// Among its consequences, once.
void add_consequence(Finding& finding, std::string text);

/// How far the analysis goes.
struct CheckOptions {
    /// Deadlocks and hang-ups that buffering has hidden are errors rather than warnings.
    bool strict = false;
    std::size_t errors_per_process = 100;  ///< and of those that concern several processes
    /// Replays of other matchings of wildcard receives.
    std::size_t alternative_matchings = 1000;
    /// Classes that are not looked for.
    std::vector<FindingClass> without;
    ProgramText* text = nullptr;  ///< null: nothing is known of it
    /// Is told what begins, by the name that the analyzer has for the stage; may be empty.
    std::function<void(std::string_view)> begin_stage;
};

/// Ordered by severity, then by the first call's time. `complete`: no limit was exceeded.
struct Findings {
    std::vector<Finding> findings;
    bool complete = true;
    /// What was not looked at and why, one line each.
    std::vector<std::string> unchecked;
};

}  // namespace mqinspect::analysis
