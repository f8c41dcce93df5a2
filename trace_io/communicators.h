/// The communicators of a run, from what each member has written of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/execution.h"

#include "trace_io/process_files.h"
#include "trace_io/translation.h"
#include "trace_io/worlds.h"

namespace mqinspect::trace_io {

/// Two descriptions are of one communicator if parent, ordinal, tag and members agree
/// (model::CommunicatorRecord); those of intercommunicators whose two sides have no common
/// parent, if the groups agree and each process has described as many with them before.
class Communicators {
public:
    Communicators(const std::vector<Place>& places,
                  std::vector<model::RecordedCommunicator>& communicators);

    /// Enters what a process has described, in its order. Its numbering.
    Numbering add(model::ProcessId process, const ById<model::CommunicatorRecord>& records);

private:
    using Members = std::vector<std::int32_t>;
    /// Parent, ordinal, tag, constructor, the two groups.
    using Key = std::tuple<std::int32_t, std::int64_t, std::int64_t, std::string, Members, Members>;

    Members members_of(model::ProcessId process,
                       const std::vector<std::array<std::int64_t, 3>>& triplets,
                       const std::vector<std::uint64_t>& foreign) const;
    std::int32_t member_of(model::ProcessId process,
                           std::int64_t world_rank,
                           const std::vector<std::uint64_t>& foreign) const;
    std::int32_t enter(const model::CommunicatorRecord& record, Key key, bool inter);
    void add_neighbours(model::ProcessId process,
                        const model::CommunicatorRecord& record,
                        model::RecordedCommunicator& communicator);

    const std::vector<Place>& places_;
    std::vector<model::RecordedCommunicator>& communicators_;
    std::map<Key, std::int32_t> numbers_;
    std::map<std::uint64_t, std::pair<std::int32_t, std::int32_t>> worlds_;  ///< first, size
};

}  // namespace mqinspect::trace_io
