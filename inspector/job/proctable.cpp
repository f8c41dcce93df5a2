#include "inspector/job/proctable.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace mqinspect::job {

namespace {

using target::Address;

/// No launcher's entry is longer, in bytes.
constexpr std::uint64_t kMaxStride = 4096;
constexpr std::size_t kEntriesPerRead = 4096;

/// Where the members of a table entry are, in bytes.
struct EntryLayout {
    std::uint64_t host = 0;
    std::uint64_t executable = 8;
    std::uint64_t pid = 16;
    std::uint64_t stride = 24;
};

/// The launcher's own type where it has debug information, else the layout that
/// the interface gives for C on this machine.
EntryLayout layout_of(const target::ProcessView& launcher) {
    EntryLayout layout;
    const target::TypeLayout* type = launcher.find_type("MPIR_PROCDESC");
    if (type == nullptr) return layout;
    const auto host = type->offset_of("host_name");
    const auto executable = type->offset_of("executable_name");
    const auto pid = type->offset_of("pid");
    const auto fits = [type](std::int64_t offset, std::size_t bytes) {
        return offset >= 0 && static_cast<std::uint64_t>(offset) + bytes <= type->size;
    };
    if (type->size > kMaxStride || !fits(host, sizeof(std::uint64_t)) ||
        !fits(executable, sizeof(std::uint64_t)) || !fits(pid, sizeof(int))) {
        return layout;
    }
    return {static_cast<std::uint64_t>(host),
            static_cast<std::uint64_t>(executable),
            static_cast<std::uint64_t>(pid),
            type->size};
}

/// Reads texts page by page: the names of a table lie close together, and one
/// system call for each would take longer than all else.
class TextReader {
public:
    explicit TextReader(const target::Memory& memory) : memory_(memory), pages_(kPages) {}

    /// Up to NUL; empty if it cannot be read or is longer than a path can be.
    std::string text_at(std::uint64_t address) {
        std::string text;
        while (text.size() < kMaxTextBytes) {
            const Page* page = page_of(address);
            if (page == nullptr) return {};
            const std::size_t offset = address % kPageBytes;
            const char* start = page->bytes.data() + offset;
            const std::size_t room = kPageBytes - offset;
            const std::size_t length = strnlen(start, room);
            text.append(start, length);
            if (length < room) return without_control(std::move(text));
            address += length;
        }
        return {};
    }

private:
    static constexpr std::size_t kPageBytes = 4096;
    static constexpr std::size_t kPages = 256;
    static constexpr std::size_t kMaxTextBytes = 4096;

    struct Page {
        std::uint64_t address = std::numeric_limits<std::uint64_t>::max();
        bool is_readable = false;
        std::array<char, kPageBytes> bytes;
    };

    const Page* page_of(std::uint64_t address) {
        const std::uint64_t start = address - address % kPageBytes;
        Page& page = pages_[start / kPageBytes % kPages];
        if (page.address != start) {
            page.address = start;
            const auto read =
                memory_.read(Address{start}, std::as_writable_bytes(std::span(page.bytes)));
            page.is_readable = read.has_value();
        }
        return page.is_readable ? &page : nullptr;
    }

    static std::string without_control(std::string text) {
        std::ranges::replace_if(
            text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
        return text;
    }

    const target::Memory& memory_;
    std::vector<Page> pages_;
};

template <class T>
T value_at(std::span<const std::byte> entry, std::uint64_t offset) {
    T value{};
    std::memcpy(&value, entry.data() + offset, sizeof value);
    return value;
}

Result<std::vector<ProctableEntry>> read_entries(const EntryLayout& layout,
                                                 const target::Memory& memory,
                                                 std::uint64_t table,
                                                 std::size_t count) {
    if (table > std::numeric_limits<std::uint64_t>::max() - layout.stride * count) {
        return Error{ErrorCode::CorruptData, "MPIR_proctable lies outside the address space"};
    }
    TextReader texts(memory);
    std::vector<ProctableEntry> entries;
    std::vector<std::byte> chunk;
    for (std::size_t done = 0; done < count;) {
        const std::size_t batch = std::min(kEntriesPerRead, count - done);
        chunk.resize(batch * layout.stride);
        const auto read = memory.read(Address{table} + done * layout.stride, chunk);
        if (!read) {
            return Error{ErrorCode::CorruptData,
                         fmt::format("MPIR_proctable_size is {}, but the table ends before: {}",
                                     count,
                                     read.error().message)};
        }
        for (std::size_t i = 0; i < batch; ++i) {
            const auto entry = std::span(chunk).subspan(i * layout.stride, layout.stride);
            entries.push_back({texts.text_at(value_at<std::uint64_t>(entry, layout.host)),
                               texts.text_at(value_at<std::uint64_t>(entry, layout.executable)),
                               value_at<int>(entry, layout.pid)});
        }
        done += batch;
    }
    return entries;
}

}  // namespace

Result<std::vector<ProctableEntry>> read_proctable(const target::ProcessView& launcher,
                                                   const target::Memory& memory) {
    const auto table_symbol = launcher.find_symbol("MPIR_proctable");
    const auto size_symbol = launcher.find_symbol("MPIR_proctable_size");
    if (!table_symbol || !size_symbol) {
        return Error{ErrorCode::MissingDebugInfo, "the launcher has no symbol MPIR_proctable"};
    }
    const auto table = TRY(target::read_value<std::uint64_t>(memory, *table_symbol));
    const int size = TRY(target::read_value<int>(memory, *size_symbol));
    if (size < 0 || size > kMaxProctableSize) {
        return Error{ErrorCode::CorruptData, fmt::format("MPIR_proctable_size is {}", size)};
    }
    if (table == 0 || size == 0) return std::vector<ProctableEntry>{};
    return read_entries(layout_of(launcher), memory, table, static_cast<std::size_t>(size));
}

}  // namespace mqinspect::job
