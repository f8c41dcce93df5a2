/// Processes of other worlds that a process is connected with.
///
/// ch3 keeps a list of the process groups that a process knows (mpidi_pg.c): its own
/// and those that it has spawned, was spawned by, or has connected to, until
/// MPI_Comm_disconnect. Of the processes in them it keeps how to reach them, which
/// names the host; nothing tells their pid or program.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/job.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"
#include "mqs_dll/world_name.h"

namespace mqinspect::dll {

/// One iteration at a time.
class NewProcesses {
public:
    /// EndOfList: connected with no other world. NoInformation: the device is not
    /// known to tell.
    Status start(const Target& target, const Layout& layout, const Symbols& symbols);
    /// Leaves out those that have an identity in the job, which may be null.
    Status next(const Target& target,
                const Layout& layout,
                const JobState* job,
                mqs_process_location& location);

private:
    struct Group {
        WorldName name;
        std::int32_t size = 0;
        std::uint64_t connections = 0;  ///< array of texts by rank, 0 if unknown
    };
    Status add(const Target& target, const Layout& layout, std::uint64_t group);

    Array<Group> groups_;
    std::size_t group_ = 0;
    std::int32_t rank_ = 0;
};

/// The function that a process calls when the processes of MPI_Comm_spawn have been
/// connected and the list above holds them; also called on other occasions. Null:
/// the image has none of those that are known.
const char* spawn_breakpoint(mqs_image* image, const mqs_image_callbacks& callbacks);

}  // namespace mqinspect::dll
