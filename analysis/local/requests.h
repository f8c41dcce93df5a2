/// The requests of one process from the call that makes each to its end.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/local/dead_frames.h"
#include "analysis/local/id_map.h"
#include "analysis/local/overlaps.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

struct OpenRequest {
    enum class Kind : std::uint8_t {
        Send,
        Receive,
        SendReceive,
        Collective,
        OneSided,
        File,
        Other
    };

    std::int64_t id = 0;
    CallSite made;
    CallSite started;  ///< of a persistent one; else as `made`
    Kind kind = Kind::Other;
    bool persistent = false;
    bool active = false;
    std::int64_t peer = model::kNullHandle;  ///< a rank of the communicator's; of messages
    bool nowhere = false;  ///< with MPI_PROC_NULL: complete at once, which not all libraries say
    bool ever_started = false;
    bool buffered = false;  ///< a send that waits for nobody
    bool told = false;      ///< that it is complete: its buffers are the program's again
    bool on_stack = false;  ///< one of its buffers
    bool gone = false;      ///< while it was pending: the function whose variable that is
    std::int64_t communicator = model::kNullHandle;
    std::int64_t file = model::kNullHandle;
    bool closed = false;        ///< what it works on was given back before: that has been reported
    std::int64_t checksum = 0;  ///< of what is sent, at the start
    /// EventKind::Overwritten, of a send with a checksum: its completion tells what has come of it.
    const model::RecordedEvent* touched = nullptr;
    std::int64_t partitions = -1;
    std::vector<bool> ready;            ///< partitions, since the start
    std::optional<CallSite> idle_wait;  ///< a wait for it before it has ever been started
    std::uint64_t named_by = 0;         ///< Requests::uses_ of the last call with it in a list
    ActiveSlot buffers = kNoSlot;
    std::vector<Access> accesses;  ///< of a persistent one

    bool is_under_way() const { return active && !(persistent && nowhere); }
};

std::string_view noun(OpenRequest::Kind kind);

/// Memory is bounded by the open ones. The arguments of the constructor must outlive it.
class Requests {
public:
    Requests(model::ProcessId process,
             const model::Execution& execution,
             Overlaps& overlaps,
             DeadFrames& frames,
             Reporter& reporter);

    /// A call that makes a request, with the buffers of the operation.
    void make(const CallView& view, const std::vector<Access>& accesses);
    /// A call that waits for, tests, starts, cancels or frees requests.
    void use(const CallView& view);
    /// Behind each call: what it may have told of others.
    void learn(const CallView& view);
    /// MPI_File_close, MPI_Comm_disconnect, and calls that take a file without pending operations:
    /// what is still under way there is reported.
    void check_none_pending(const CallView& view);
    /// EventKind::Overwritten. False: not of a send whose completion tells more.
    bool touched(const model::RecordedEvent& event);
    /// Behind the last call: what was touched, and never completed. `finalized`: finalize comes.
    void end(bool finalized);
    /// MPI_Finalize: what is still open is reported.
    void finalize(const CallSite& site);

    /// Those that are given, one at least, and not complete are all generalized ones.
    bool are_generalized(const CallView& view) const;
    /// What a pending call waits for, to be named with it.
    const OpenRequest* find(std::int64_t id) const;
    /// A call that has not returned, of a process with one thread: partitions of sends that it
    /// waits for and that MPI_Pready has not made ready.
    void check_unready(const CallView& view);

private:
    /// A call that completes requests.
    struct Completion {
        explicit Completion(const CallView& view)
            : site(site_of(view.call)), checksums(view.out(model::Role::Checksums)) {}

        CallSite site;
        const model::Value* checksums;
        std::size_t completed = 0;  ///< so far: the place of the next one's checksum
    };

    OpenRequest* open(std::int64_t id);
    void close(OpenRequest& request, const CallSite& site);
    void complete(Completion& call, std::int64_t id);
    void complete_all(const CallView& view);
    void complete_some(const CallView& view);
    void check_use(const CallView& view, std::int64_t id);
    void check_named_once(const CallView& view, OpenRequest& request);
    void report_never_started(const OpenRequest& request);
    void check_wait_for_inactive(const CallView& view);
    void start(const CallView& view, std::int64_t id, std::int64_t checksum);
    void tell(const CallView& view);
    void free(const CallView& view);
    void keep_freed(OpenRequest& request);
    void cancel(const CallView& view);
    void use_partition(const CallView& view);
    bool mark_partition(const CallView& view,
                        OpenRequest& request,
                        std::int64_t partition,
                        bool ready);
    void invalid(const CallView& view, const OpenRequest& request, std::string message);
    void compare_sent(OpenRequest& request, std::int64_t now, const CallSite& completion);
    void report_touch(OpenRequest& request, const CallSite& next);
    /// Notes if the touched buffer is a variable of a function that has returned.
    bool is_gone(OpenRequest& request, const model::RecordedEvent& event);
    /// The same by then, or before.
    bool has_gone(const OpenRequest& request, const CallSite& later) const;
    /// `completion`: null where there is none.
    void report_gone(OpenRequest& request, const CallSite* completion);

    model::ProcessId process_;
    Overlaps& overlaps_;
    DeadFrames& frames_;
    const model::Execution& execution_;
    Reporter& reporter_;
    bool asks_;  ///< whether something was cancelled: it is ready for either

    IdMap places_;
    std::vector<OpenRequest> requests_;
    std::vector<std::uint32_t> free_;
    /// The last ones that ended, to explain later uses of their handles.
    struct Closed {
        std::int64_t id = model::kNullHandle;
        CallSite site;
    };
    std::array<Closed, 1024> closed_;
    std::size_t last_closed_ = 0;  ///< subscript
    std::uint64_t uses_ = 0;       ///< calls of use()
    /// Of operations whose requests are freed while they may be under way.
    std::deque<ActiveSlot> freed_buffers_;
};

}  // namespace mqinspect::analysis
