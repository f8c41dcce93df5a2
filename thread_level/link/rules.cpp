#include "thread_level/link/rules.h"

namespace mqinspect::thread_level::link {
namespace {

constexpr RuleText kThreadLevel = {
    "ThreadLevel",
    "An MPI call needs a higher thread level than the program requests.",
    "MPI libraries may leave out locks, or assume that one thread communicates, below the level "
    "that was requested: messages get lost, and processes crash or hang. Request the level that "
    "is named, or move the call: out of the parallel region, into a master region for "
    "MPI_THREAD_FUNNELED, or into a single or critical region for MPI_THREAD_SERIALIZED.",
    Severity::Warning};
constexpr RuleText kConcurrentCollectives = {
    "ConcurrentCollectives",
    "Two threads may be in collective operations on one communicator at the same time.",
    "That is wrong at each thread level (MPI-4.0, 6.14): which call of one process belongs to "
    "which of another is not defined. Remove 'nowait', put a barrier between them, or give each "
    "thread a communicator of its own (MPI_Comm_dup).",
    Severity::Error};
constexpr RuleText kConcurrentRequest = {
    "ConcurrentRequest",
    "Two threads may use one request, window or file at the same time.",
    "Two threads that complete one request are erroneous at each thread level (MPI-4.0, 11.6.2). "
    "Let one thread wait, or give each thread requests of its own.",
    Severity::Error};
constexpr RuleText kCollectiveOrder = {
    "CollectiveOrder",
    "Collective operations of several threads exclude each other, but in any order.",
    "A lock or critical section keeps the calls apart, but processes may take them in different "
    "orders, and then they do not match. Order them by a barrier or 'ordered', or use a "
    "communicator for each.",
    Severity::Warning};
constexpr RuleText kMessageOrder = {
    "MessageOrder",
    "Messages of two threads with one communicator, peer and tag may overtake each other.",
    "Between threads no order of messages is promised (MPI-4.0, 3.5). Use the thread number in the "
    "tag, or a communicator for each thread.",
    Severity::Warning};
constexpr RuleText kInvalidNesting = {
    "InvalidNesting",
    "A construct for one thread is closely nested in another one.",
    "OpenMP forbids single, master, sections and loops closely inside of each other, and barriers "
    "in them. Take one away, or put a parallel region between them.",
    Severity::Warning};
constexpr RuleText kInitInParallel = {
    "InitInParallel",
    "MPI is initialized by a thread of a team.",
    "The thread that initializes MPI is the main thread from then on. Initialize outside of "
    "parallel regions.",
    Severity::Warning};
constexpr RuleText kFinalize = {
    "Finalize",
    "MPI_Finalize is not called by the main thread, or beside other calls.",
    "MPI_Finalize has to be called by the thread that initialized MPI, after all other calls of "
    "the process have returned (MPI-4.0, 11.2.2). Move it behind the parallel region.",
    Severity::Error};
constexpr RuleText kProvidedUntested = {
    "ProvidedUntested",
    "Nothing looks at the thread level that MPI_Init_thread provides.",
    "A library may provide less than was asked for, without an error. Compare 'provided' with "
    "what is needed, and abort if it is lower.",
    Severity::Note};
constexpr RuleText kLevelTooHigh = {
    "LevelTooHigh",
    "The program requests a higher thread level than it needs.",
    "Higher levels may cost time in each call. Lower the request if nothing that has no notes "
    "needs it.",
    Severity::Note};
constexpr RuleText kConditionalLock = {
    "ConditionalLock",
    "The lock that keeps MPI calls apart is taken under a condition.",
    "Where the condition does not hold, the calls may overlap. Make sure that it holds whenever "
    "several threads communicate; run-time checks tell whether it did.",
    Severity::Warning};
constexpr RuleText kStrictSingle = {
    "StrictSingle",
    "There are parallel regions in a process that requests MPI_THREAD_SINGLE.",
    "MPI_THREAD_SINGLE promises that the process has one thread, whether or not others call MPI. "
    "Request MPI_THREAD_FUNNELED.",
    Severity::Warning};

}  // namespace

const RuleText& text_of(Rule rule) {
    switch (rule) {
        case Rule::ThreadLevel:
            return kThreadLevel;
        case Rule::ConcurrentCollectives:
            return kConcurrentCollectives;
        case Rule::ConcurrentRequest:
            return kConcurrentRequest;
        case Rule::CollectiveOrder:
            return kCollectiveOrder;
        case Rule::MessageOrder:
            return kMessageOrder;
        case Rule::InvalidNesting:
            return kInvalidNesting;
        case Rule::InitInParallel:
            return kInitInParallel;
        case Rule::Finalize:
            return kFinalize;
        case Rule::ProvidedUntested:
            return kProvidedUntested;
        case Rule::LevelTooHigh:
            return kLevelTooHigh;
        case Rule::ConditionalLock:
            return kConditionalLock;
        case Rule::StrictSingle:
            break;
    }
    return kStrictSingle;
}

}  // namespace mqinspect::thread_level::link
