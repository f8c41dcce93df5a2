/// What the threads of one rank are doing, put together to what the rank does.
#pragma once

#include <span>
#include <vector>

#include "inspector/snapshot/arguments.h"
#include "inspector/snapshot/call_site.h"
#include "inspector/target/python_frames.h"
#include "inspector/target/stack.h"

namespace mqinspect::snapshot {

/// What was copied from one rank while it stood still.
struct CapturedRank {
    std::vector<target::CapturedThread> threads;  ///< the main thread first
};

/// The result for a rank; frames and raw calls, not yet joined with the queues.
struct RankActivity {
    bool blocked = false;
    /// The call to report: the main thread's, else another thread's that waits.
    std::optional<RawCall> call;
    std::vector<RawCall> more_calls;
    std::size_t thread = 0;  ///< whose stack it is: the one with `call`, else the main thread
    std::vector<target::MergedFrame> stack;
    model::SourceLocation location;  ///< of `call` in the user's code
    std::vector<model::SourceLocation> more_locations;
    std::uint64_t call_identity = 0;
    std::string problem;
};

/// What one thread of a rank does.
enum class Doing {
    Waiting,  ///< in an MPI call that may wait
    Polling,  ///< in an MPI call that never waits
    Idle,     ///< for another thread of its process, or outside MPI for the outside
    Library,  ///< a thread that the MPI library runs for itself
    Running,
};

Doing doing_in(const CallSite& call);
/// Of a thread that is in no MPI call; `in_library`: a frame of it is in a library of MPI.
Doing doing_outside_calls(const model::Frame& innermost, bool is_main, bool in_library);

/// What the threads' doings, the main thread's first, make of their rank.
struct RankDoing {
    /// A thread waits in MPI and every other thread waits in MPI, too, or for a thread of
    /// its own process, or belongs to the MPI library.
    bool blocked = false;
    /// The thread that speaks for the rank: the main thread, unless only another waits.
    std::size_t reported = 0;
    std::vector<std::size_t> also_waiting;
};
/// `main_calls`: the main thread is in an MPI call. Precondition: not empty.
RankDoing doing_of_rank(std::span<const Doing> threads, bool main_calls);

/// Unwinds stacks and names their frames, sharing the work between ranks that
/// stand at the same places. Borrows the images.
class ActivityReader {
public:
    RankActivity read(const target::ProcessView& view,
                      const target::Memory& memory,
                      const CapturedRank& captured);

private:
    struct Thread {
        bool is_main = false;
        target::UnwoundStack stack;
        std::optional<RawCall> call;
        const target::PythonStack* python = nullptr;
    };
    Thread read_thread(const target::ProcessView& view,
                       const target::Memory& memory,
                       const target::CapturedThread& captured);
    Doing classify(const target::ProcessView& view, const Thread& thread);
    std::vector<model::Frame> describe(const target::ProcessView& view,
                                       const target::UnwoundStack& stack);
    const model::Frame& describe(const target::ProcessView& view,
                                 const target::UnwoundFrame& frame);
    model::SourceLocation user_location(const target::ProcessView& view, const Thread& thread);
    model::SourceLocation native_location(const target::ProcessView& view, const Thread& thread);

    struct Place {
        const target::Image* image;
        std::uint64_t linked;
        bool operator==(const Place&) const = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const {
            return std::hash<const void*>{}(place.image) ^
                   std::hash<std::uint64_t>{}(place.linked * 0x9e3779b97f4a7c15U);
        }
    };
    CallSiteFinder sites_;
    std::unordered_map<Place, model::Frame, PlaceHash> frames_;
};

}  // namespace mqinspect::snapshot
