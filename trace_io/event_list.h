/// The events of one thread, as they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "model/execution.h"

namespace mqinspect::trace_io {

/// Bounds what is kept of changed buffers: a loop may change them millions of times.
class EventList {
public:
    /// Behind what is in `events`, which must outlive it.
    explicit EventList(std::vector<model::RecordedEvent>& events)
        : events_(events), waiting_(events.size()) {}

    void add(model::RecordedEvent event) { events_.push_back(std::move(event)); }
    /// The next call has been entered. The arguments tell apart from where it, and the one that
    /// has returned before it, were called.
    void entered(const void* call, const void* before) {
        if (waiting_ < events_.size()) fold(call, before);
    }

    static constexpr std::uint64_t kMostEqual = 8;
    /// Changes of buffers; those behind them are left out.
    static constexpr std::uint64_t kMostChanges = 1 << 17;
    bool left_out() const { return left_out_; }

private:
    /// The calls around it; address, bytes, whether of an array of arguments.
    using Key = std::tuple<const void*, const void*, std::int64_t, std::int64_t, std::int64_t>;
    struct Kept {
        std::uint64_t number = 0;
        std::size_t last = 0;  ///< subscript in events_
    };

    void fold(const void* call, const void* before);
    /// False: it is counted at another one, or left out. `place`: where it would be in events_.
    bool keep(const model::RecordedEvent& event,
              const void* call,
              const void* before,
              std::size_t place);

    std::vector<model::RecordedEvent>& events_;
    std::size_t waiting_;  ///< from here on they stand in front of the next call
    std::uint64_t changes_ = 0;
    bool left_out_ = false;
    std::map<Key, Kept> kept_;
};

}  // namespace mqinspect::trace_io
