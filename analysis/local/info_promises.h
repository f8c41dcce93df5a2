/// What a process promises with info objects, and breaks: that a window is never locked
/// and that its parts are alike (MPI 4.0, 12.2.1), that a communicator's receives name their source
/// and tag (7.4.4).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The checks of one process. The arguments of the constructor must outlive it.
class InfoPromises {
public:
    InfoPromises(model::ProcessId process, const model::Execution& execution, Reporter& reporter)
        : process_(process), execution_(execution), reporter_(reporter) {}

    void check(const CallView& view);

private:
    using Keys = std::map<std::string, std::string, std::less<>>;
    /// Which object, by its kind and id.
    using Object = std::pair<HandleKind, std::int64_t>;

    /// MPI_Info_set and its kin.
    void follow(const CallView& view);
    void give(const CallView& view);
    /// Of a new window: are they as alike as has been said?
    void check_parts(const CallView& view, std::int64_t id, const Keys& keys);
    void take_back(const CallView& view);
    std::string text(const CallView& view, std::string_view parameter) const;
    /// Reports the call, which does what the object's promise denies, if there is one.
    void keep(const CallView& view, Object object, std::string_view key, std::string_view broken);

    model::ProcessId process_;
    const model::Execution& execution_;
    Reporter& reporter_;
    std::map<std::int64_t, Keys> infos_;  ///< by the MPI library's handle
    std::map<Object, std::map<std::string, CallSite, std::less<>>> promises_;
};

}  // namespace mqinspect::analysis
