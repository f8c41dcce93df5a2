/// Datatypes: DefinitionKind::Datatype, and which bytes they touch, for checksums.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <mpi.h>

#include "tracer/handles/handle_map.h"

namespace mqinspect::tracer {

/// A run of bytes of one element, from where its buffer begins.
struct Segment {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
};

/// Types of equal make are one. Kept for ever: requests that are pending refer to it.
struct DatatypeInfo {
    std::int64_t id = 0;
    std::int64_t size = 0;
    std::int64_t lower_bound = 0;
    std::int64_t extent = 0;
    std::int64_t true_lower_bound = 0;
    std::int64_t true_extent = 0;
    /// In the order of the type map; null: too many to be kept.
    const Segment* segments = nullptr;
    std::size_t segment_count = 0;
    bool dense = false;  ///< elements one behind the other are one segment
};

/// A handle; several may stand for equal types.
struct DatatypeHandle {
    std::atomic<const DatatypeInfo*> info{nullptr};  ///< null: a predefined one, not used yet
    const char* predefined = nullptr;                ///< its name
    std::atomic<std::int64_t> further{0};            ///< to be freed so many times more than once
};
extern Handles<DatatypeHandle> datatype_handles;

[[gnu::cold]] const DatatypeInfo* first_datatype_info(DatatypeHandle& handle,
                                                      MPI_Datatype datatype);
/// Null: no datatype that this process has.
inline const DatatypeInfo* datatype_info(MPI_Datatype datatype) {
    DatatypeHandle* handle = datatype_handles.find(handle_bits(datatype));
    if (handle == nullptr) return nullptr;
    const DatatypeInfo* info = handle->info.load(std::memory_order_acquire);
    if (info != nullptr) [[likely]]
        return info;
    return first_datatype_info(*handle, datatype);
}
std::int64_t datatype_id(MPI_Datatype datatype);

/// What a constructor has made.
void datatype_created(MPI_Datatype datatype);
/// What MPI_Type_get_contents of `from` has given: handles to be freed, which may be those that
/// the program has already.
void datatypes_taken_out(MPI_Datatype from, const MPI_Datatype* taken);
void datatype_freed(MPI_Datatype datatype);

/// The predefined ones, by handle: generated from the MPI library's header.
struct PredefinedDatatype {
    std::uint64_t handle;
    const char* name;
};
std::span<const PredefinedDatatype> predefined_datatypes();
/// Before the first call, when the MPI library is known.
void learn_predefined_datatypes();

}  // namespace mqinspect::tracer
