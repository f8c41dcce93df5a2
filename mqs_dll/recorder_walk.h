/// Walks through what the recorder keeps in the process (include/pending_operations.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

inline constexpr std::size_t kMostThreads = std::size_t{1} << 16;

template <class T>
Status read_object(const Target& target, std::uint64_t address, T& value) {
    return target.read(address, &value, sizeof value);
}

/// CorruptData: the list has a loop, or more than `most` entries.
template <class Entry, class Visit>
Status for_each_in_list(const Target& target, std::uint64_t next, std::size_t most, Visit&& visit) {
    IndexMap seen;
    for (std::size_t count = 0; next != 0; ++count) {
        if (count == most || seen.find(next) != IndexMap::kMissing) return Status::CorruptData;
        if (!seen.insert(next, 0)) return Status::OutOfMemory;
        Entry entry;
        Status status = read_object(target, next, entry);
        if (ok(status)) status = visit(next, entry);
        if (!ok(status)) return status;
        next = entry.next;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
