/// What the threads of one rank are doing, put together to what the rank does.
#pragma once

#include <vector>

#include "inspector/snapshot/arguments.h"
#include "inspector/snapshot/call_site.h"
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
    std::vector<model::Frame> stack;
    model::SourceLocation location;  ///< of `call` in the user's code
    std::vector<model::SourceLocation> more_locations;
    std::uint64_t call_identity = 0;
    std::string problem;
};

/// Unwinds stacks and names their frames, sharing the work between ranks that
/// stand at the same places. Borrows the images.
class ActivityReader {
public:
    /// A rank is blocked if a thread waits in MPI and every other thread waits in
    /// MPI, too, or for a thread of its own process, or belongs to the MPI library.
    RankActivity read(const target::ProcessView& view,
                      const target::Memory& memory,
                      const CapturedRank& captured);

private:
    enum class Doing { Waiting, Polling, Idle, Library, Running };
    struct Thread {
        Doing doing = Doing::Running;
        bool is_main = false;
        target::UnwoundStack stack;
        std::optional<RawCall> call;
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
