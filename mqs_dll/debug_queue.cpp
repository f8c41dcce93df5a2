#include "mqs_dll/debug_queue.h"

#include <algorithm>

namespace mqinspect::dll {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 22;

// Entries are small and come from the heap one after another, so that a page holds many.
constexpr std::uint64_t kPageBytes = 4096;

/// Reads entries, a page at a time where that is possible.
class EntryReader {
public:
    EntryReader(const Target& target, const DebugListLayout& layout)
        : target_(target), layout_(layout), bytes_needed_(layout.extent()) {}

    /// Sets `next` to the entry behind it.
    Status read(std::uint64_t address, DebugEntry& entry, std::uint64_t& next) {
        const unsigned char* bytes = nullptr;
        const Status status = fetch(address, bytes);
        if (!ok(status)) return status;
        const auto word = [&](int offset) { return target_.int_at(bytes + offset); };
        entry.address = address;
        entry.request = target_.pointer_at(bytes + layout_.request);
        next = target_.pointer_at(bytes + layout_.next);
        entry.has_envelope = layout_.tag >= 0 && layout_.rank >= 0 && layout_.context_id >= 0;
        if (entry.has_envelope) {
            entry.tag = word(layout_.tag);
            entry.rank = word(layout_.rank);
            entry.context = static_cast<std::uint32_t>(word(layout_.context_id));
        }
        if (layout_.buffer >= 0) entry.buffer = target_.pointer_at(bytes + layout_.buffer);
        if (layout_.count >= 0) {
            entry.count = target_.signed_at(bytes + layout_.count, target_.pointer_size());
        }
        return Status::Ok;
    }

private:
    Status fetch(std::uint64_t address, const unsigned char*& bytes) {
        const std::uint64_t offset = address % kPageBytes;
        const std::uint64_t page = address - offset;
        if (offset + bytes_needed_ <= kPageBytes) {
            if (page != page_ && !ok(target_.read(page, kPageBytes, page_bytes_)))
                page_bytes_.clear();
            page_ = page;
            if (!page_bytes_.empty()) {
                bytes = page_bytes_.data() + offset;
                return Status::Ok;
            }
        }
        const Status status = target_.read(address, bytes_needed_, entry_bytes_);
        bytes = entry_bytes_.data();
        return status;
    }

    const Target& target_;
    const DebugListLayout& layout_;
    std::size_t bytes_needed_;
    std::uint64_t page_ = 0;
    Array<unsigned char> page_bytes_;  ///< empty: the page cannot be read as a whole
    Array<unsigned char> entry_bytes_;
};

}  // namespace

Status read_debug_list(const Target& target,
                       const DebugListLayout& layout,
                       std::uint64_t head,
                       Array<DebugEntry>& entries) {
    if (head == 0 || !layout.exists()) return Status::NoInformation;
    std::uint64_t next = 0;
    Status status = target.read_pointer(head, next);
    const std::size_t first = entries.size();
    EntryReader reader(target, layout);
    IndexMap seen;
    while (ok(status) && next != 0) {
        if (seen.find(next) != IndexMap::kMissing || entries.size() - first >= kMostEntries) {
            status = Status::CorruptData;
            break;
        }
        if (!seen.insert(next, 0)) return Status::OutOfMemory;
        DebugEntry entry;
        status = reader.read(next, entry, next);
        if (ok(status) && !entries.push(entry)) return Status::OutOfMemory;
    }
    std::reverse(entries.begin() + first, entries.end());
    return status;
}

}  // namespace mqinspect::dll
