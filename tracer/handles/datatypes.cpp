#include "tracer/handles/datatypes.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "model/record_format.h"

#include "tracer/handles/handle_map.h"
#include "tracer/handles/type_contents.h"
#include "tracer/handles/type_map.h"
#include "tracer/pmpi.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

constinit Handles<DatatypeHandle> datatype_handles;

namespace {

struct Interned {
    Interned* next = nullptr;
    TypeContents contents;
    DatatypeInfo info;
    std::atomic<std::int64_t> handles{0};
};

constexpr std::size_t kBuckets = 1024;

SpinLock lock;
Arena arena;
Interned* buckets[kBuckets];
HandleMap by_id;
std::int64_t next_id = 0;

#if MPI_VERSION >= 3
void read_bounds(MPI_Datatype datatype, DatatypeInfo& info) {
    MPI_Count values[5] = {};
    pmpi.Type_size_x(datatype, &values[0]);
    pmpi.Type_get_extent_x(datatype, &values[1], &values[2]);
    pmpi.Type_get_true_extent_x(datatype, &values[3], &values[4]);
    info.size = values[0];
    info.lower_bound = values[1];
    info.extent = values[2];
    info.true_lower_bound = values[3];
    info.true_extent = values[4];
}
#endif

void put_definition(const DatatypeInfo& info, const char* name, const TypeContents& contents) {
    Definition(recorder.definitions(), model::DefinitionKind::Datatype)
        .number(info.id)
        .text(name)
        .text(contents.combiner)
        .list(contents.integers, contents.integer_count)
        .list(contents.addresses, contents.address_count)
        .list(contents.types, contents.type_count)
        .number(info.size)
        .number(info.lower_bound)
        .number(info.extent)
        .number(info.true_lower_bound)
        .number(info.true_extent);
}

Interned* find_interned(const TypeContents& contents, std::uint64_t hash) {
    for (Interned* type = buckets[hash % kBuckets]; type != nullptr; type = type->next)
        if (type->contents == contents) return type;
    return nullptr;
}

/// The one for these contents, defined if it is new. The lock is held.
Interned* intern(MPI_Datatype datatype, const TypeContents& contents, const char* name) {
    const std::uint64_t hash = hash_of(contents);
    if (Interned* known = find_interned(contents, hash)) return known;
    auto* type = arena.make<Interned>();
    if (type == nullptr || !copy(contents, type->contents, arena)) return nullptr;
    type->info.id = next_id++;
    read_bounds(datatype, type->info);
    map_segments(
        contents,
        [](std::int64_t id) {
            return static_cast<const DatatypeInfo*>(by_id.find(static_cast<std::uint64_t>(id)));
        },
        type->info,
        arena);
    type->info.dense = type->info.segment_count == 1 && type->info.size == type->info.extent;
    by_id.put(static_cast<std::uint64_t>(type->info.id), &type->info);
    put_definition(type->info, name, contents);
    type->next = buckets[hash % kBuckets];
    buckets[hash % kBuckets] = type;
    return type;
}

/// The lock is held.
void define_predefined(DatatypeHandle& handle, MPI_Datatype datatype) {
    if (handle.info.load(std::memory_order_relaxed) != nullptr) return;
    TypeContents contents;
    contents.combiner = "MPI_COMBINER_NAMED";
    contents.name = handle.predefined;
    const Interned* type = intern(datatype, contents, handle.predefined);
    if (type != nullptr) handle.info.store(&type->info, std::memory_order_release);
}

/// A handle of this type less.
void let_go(const DatatypeInfo& info) {
    auto* type = reinterpret_cast<Interned*>(const_cast<std::uint8_t*>(  // NOLINT
        reinterpret_cast<const std::uint8_t*>(&info) - offsetof(Interned, info)));
    if (type->handles.fetch_sub(1) != 1) return;
    Definition(recorder.definitions(), model::DefinitionKind::Freed)
        .number(static_cast<std::int64_t>(model::DefinitionKind::Datatype))
        .number(info.id);
}

}  // namespace

void learn_predefined_datatypes() {
    for (const PredefinedDatatype& datatype : predefined_datatypes()) {
        // Those of languages that the library was built without are all MPI_DATATYPE_NULL.
        if (datatype.handle == handle_bits(MPI_DATATYPE_NULL) ||
            datatype_handles.find(datatype.handle))
            continue;
        auto* handle = arena.make<DatatypeHandle>();
        if (handle == nullptr) return;
        handle->predefined = datatype.name;
        datatype_handles.put(datatype.handle, handle);
    }
}

const DatatypeInfo* first_datatype_info(DatatypeHandle& handle, MPI_Datatype datatype) {
    if (handle.predefined == nullptr || !recorder.is_initialised()) return nullptr;
    const Locked locked(lock);
    define_predefined(handle, datatype);
    return handle.info.load(std::memory_order_relaxed);
}

std::int64_t datatype_id(MPI_Datatype datatype) {
    if (datatype == MPI_DATATYPE_NULL) return model::kNullHandle;
    const DatatypeInfo* info = datatype_info(datatype);
    return info == nullptr ? model::kInvalidHandle : info->id;
}

void datatype_created(MPI_Datatype datatype) {
    if (datatype == MPI_DATATYPE_NULL) return;
    DatatypeHandle* known = datatype_handles.find(handle_bits(datatype));
    if (known != nullptr && known->predefined != nullptr) return;
    TypeContents contents;
    const ContentsReader reader(datatype, contents);
    if (!reader.complete()) return;
    const Locked locked(lock);
    Interned* type = intern(datatype, contents, "");
    if (type == nullptr) return;
    if (known != nullptr) {
        // MPI_Type_create_f90_real and MPI_Type_match_size give the same one each time.
        const DatatypeInfo* const info = known->info.load(std::memory_order_acquire);
        if (info == &type->info) return;
        // The library itself has freed that one, as ROMIO does with those of file views.
        datatype_handles.remove(handle_bits(datatype));
        if (info != nullptr) let_go(*info);
    }
    auto* handle = arena.make<DatatypeHandle>();
    if (handle == nullptr) return;
    type->handles.fetch_add(1);
    handle->info.store(&type->info, std::memory_order_release);
    datatype_handles.put(handle_bits(datatype), handle);
}

void datatypes_taken_out(MPI_Datatype from, const MPI_Datatype* taken) {
    TypeContents contents;
    const ContentsReader reader(from, contents);
    if (!reader.complete()) return;
    for (std::size_t i = 0; i < contents.type_count; ++i) {
        DatatypeHandle* known = datatype_handles.find(handle_bits(taken[i]));
        if (known == nullptr) {
            datatype_created(taken[i]);
        } else if (known->predefined == nullptr) {
            known->further.fetch_add(1);
        }
    }
}

void datatype_freed(MPI_Datatype datatype) {
    DatatypeHandle* handle = datatype_handles.find(handle_bits(datatype));
    if (handle == nullptr || handle->predefined != nullptr) return;
    if (handle->further.load() > 0) {
        handle->further.fetch_sub(1);
        return;
    }
    const DatatypeInfo* info = handle->info.load(std::memory_order_acquire);
    datatype_handles.remove(handle_bits(datatype));
    if (info != nullptr) let_go(*info);
}

}  // namespace mqinspect::tracer
