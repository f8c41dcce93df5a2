#include "mqs_dll/datatypes.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "include/mpich_handles.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

const char* predefined_name(std::uint32_t handle) {
    return mpich::find_name(mpich::kDatatypes, handle);
}

bool is_builtin(std::uint32_t handle) {
    return allocation_of(handle) == Allocation::Builtin &&
           is_handle_of(handle, ObjectKind::Datatype);
}

/// For one without a name.
void make_up_name(DatatypeTable::Datatype& datatype) {
    if (datatype.name[0] != '\0') return;
    const char* predefined = predefined_name(datatype.handle);
    TextWriter text(datatype.name, sizeof datatype.name);
    if (predefined != nullptr) {
        text.append(predefined);
    } else {
        text.append("derived ").append_handle(datatype.handle);
    }
}

std::size_t extent_of(const Layout& layout) {
    const int name_end = layout.datatype_name < 0 ? 0 : layout.datatype_name + 64;
    return static_cast<std::size_t>(std::max({layout.datatype_handle + 4,
                                              layout.datatype_ref_count + 4,
                                              layout.datatype_size + 8,
                                              name_end}));
}

}  // namespace

void DatatypeTable::open(const Target& target, const Layout& layout, const Symbols& symbols) {
    layout_ = layout;
    usable_ = symbols.datatype_mem != 0 && layout.has_pools() && layout.datatype_handle >= 0 &&
              layout.datatype_ref_count >= 0 && layout.datatype_size >= 0 &&
              ok(read_pool(target, layout, symbols.datatype_mem, pool_)) &&
              pool_.object_bytes >= extent_of(layout);
}

Status DatatypeTable::learn(const Target& target, std::uint32_t handle) {
    if (!usable_ || !is_handle_of(handle, ObjectKind::Datatype) || is_builtin(handle) ||
        by_handle_.find(handle) != IndexMap::kMissing) {
        return Status::Ok;
    }
    Datatype datatype;
    datatype.handle = handle;
    const std::uint64_t address = pool_.object_at(handle);
    Array<unsigned char> bytes;
    const Status status = target.read(address, extent_of(layout_), bytes);
    if (status == Status::OutOfMemory) return status;
    const auto word = [&](int offset) { return target.int_at(bytes.data() + offset); };
    if (ok(status) && static_cast<std::uint32_t>(word(layout_.datatype_handle)) == handle &&
        word(layout_.datatype_ref_count) > 0) {
        datatype.bytes =
            target.signed_at(bytes.data() + layout_.datatype_size, layout_.pointer_size);
        if (datatype.bytes < 0) datatype.bytes = -1;
        if (layout_.datatype_name >= 0) {
            std::memcpy(
                datatype.name, bytes.data() + layout_.datatype_name, sizeof datatype.name - 1);
        }
        for (char& c : datatype.name) {
            const auto value = static_cast<unsigned char>(c);
            if (value != 0 && (value < 0x20 || value == 0x7f)) c = '?';
        }
        make_up_name(datatype);
    }
    const auto index = static_cast<std::uint32_t>(derived_.size());
    if (!by_handle_.insert(handle, index) || !derived_.push(datatype)) return Status::OutOfMemory;
    return Status::Ok;
}

Status DatatypeTable::remember(std::uint32_t handle, std::int64_t bytes) {
    if (!is_handle_of(handle, ObjectKind::Datatype) || is_builtin(handle) ||
        by_handle_.find(handle) != IndexMap::kMissing) {
        return Status::Ok;
    }
    Datatype datatype;
    datatype.handle = handle;
    datatype.bytes = bytes < 0 ? -1 : bytes;
    make_up_name(datatype);
    const auto index = static_cast<std::uint32_t>(derived_.size());
    if (!by_handle_.insert(handle, index) || !derived_.push(datatype)) return Status::OutOfMemory;
    return Status::Ok;
}

std::int64_t DatatypeTable::bytes_of(std::uint32_t handle) const {
    if (is_builtin(handle)) return handle >> 8 & 0xff;
    const std::uint32_t index = by_handle_.find(handle);
    return index == IndexMap::kMissing ? -1 : derived_[index].bytes;
}

std::int64_t DatatypeTable::bytes_of(std::uint32_t handle, std::int64_t count) const {
    const std::int64_t each = bytes_of(handle);
    if (each < 0 || count < 0) return -1;
    std::int64_t total = 0;
    return __builtin_mul_overflow(each, count, &total) ? -1 : total;
}

const char* DatatypeTable::name_of(std::uint32_t handle) const {
    if (is_builtin(handle)) {
        const char* name = predefined_name(handle);
        return name == nullptr ? "" : name;
    }
    const std::uint32_t index = by_handle_.find(handle);
    return index == IndexMap::kMissing ? "" : derived_[index].name;
}

}  // namespace mqinspect::dll
