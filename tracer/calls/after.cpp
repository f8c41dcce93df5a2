#include "tracer/calls/after.h"

#include <cstring>
#include <utility>

#include "tracer/control/endings.h"
#include "tracer/control/errors.h"
#include "tracer/handles/communicators.h"
#include "tracer/handles/objects.h"
#include "tracer/pmpi.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer::after {

#if MPI_VERSION >= 4
namespace {

/// The one that the world group is of.
MPI_Session world_session = MPI_SESSION_NULL;

int thread_level(MPI_Session session) {
    char text[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info = MPI_INFO_NULL;
    int found = 0;
    if (pmpi.Session_get_info(session, &info) == MPI_SUCCESS && info != MPI_INFO_NULL) {
        pmpi.Info_get(info, "thread_level", MPI_MAX_INFO_VAL, text, &found);
        pmpi.Info_free(&info);
    }
    for (const auto& [name, level] : {std::pair{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                                      std::pair{"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                                      std::pair{"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED}})
        if (std::strcmp(text, name) == 0) return level;
    return MPI_THREAD_MULTIPLE;
}

}  // namespace

void session_begun(MPI_Session session, const Site& site) {
    int initialised = 0;
    pmpi.Initialized(&initialised);
    if (initialised != 0 || world_session != MPI_SESSION_NULL) return;
    MPI_Group everybody = MPI_GROUP_NULL;
    if (pmpi.Group_from_session_pset(session, "mpi://WORLD", &everybody) != MPI_SUCCESS) return;
    int rank = 0;
    int size = 0;
    pmpi.Group_rank(everybody, &rank);
    pmpi.Group_size(everybody, &size);
    note_main(site);
    define_world_group(everybody);
    recorder.define_world_of_session(rank, size, thread_level(session));
    world_session = session;
}

void session_ends(const MPI_Session* session) {
    if (session == nullptr || *session == MPI_SESSION_NULL || *session != world_session) return;
    define_world_group(MPI_GROUP_NULL);
    world_session = MPI_SESSION_NULL;
    recorder.define_clock();
}
#endif

void spawned(MPI_Comm intercommunicator, std::uint64_t begin_ns) {
    Definition(recorder.definitions(), model::DefinitionKind::Spawn)
        .number(communicator_id(intercommunicator))
        .bits(begin_ns)
        .bits(wall_clock_ns());
}

void window_made(const char* kind, MPI_Win window, MPI_Comm communicator) {
    window_created(kind, window, communicator);
    watch_errors_of(window);
}

bool are_copies(const Site& site) {
    // The PMPI names that the bindings call may be between them and the procedure.
    // NOLINTBEGIN(performance-no-int-to-ptr): addresses of code
    return is_fortran_binding(reinterpret_cast<const void*>(site.return_address)) ||
           (site.frame_count != 0 &&
            is_fortran_binding(reinterpret_cast<const void*>(site.frames[0].address)));
    // NOLINTEND(performance-no-int-to-ptr)
}

}  // namespace mqinspect::tracer::after
