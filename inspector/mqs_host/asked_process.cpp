#include "inspector/mqs_host/asked_process.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace mqinspect::mqs_host {

namespace {

constexpr std::size_t kPageBytes = 4096;
/// Of one process: of what a DLL walks through, most is read once.
constexpr std::size_t kMaxPages = 16384;

Error unreadable(target::Address address) {
    return Error{ErrorCode::BadAddress,
                 fmt::format("memory at 0x{:x} cannot be read", target::to_integer(address))};
}

}  // namespace

std::optional<target::Address> AskedProcess::find_symbol(std::string_view name) const {
    const auto known = symbols_.find(name);
    if (known != symbols_.end()) return known->second;
    return symbols_.emplace(name, channel_.ask_symbol(process_, name)).first->second;
}

const target::TypeLayout* AskedProcess::find_type(std::string_view name) const {
    const auto known = types_.find(name);
    if (known != types_.end()) return known->second.get();
    return types_.emplace(name, channel_.ask_type(process_, name)).first->second.get();
}

const std::vector<std::byte>& AskedProcess::page(std::uint64_t number) const {
    const auto known = pages_.find(number);
    if (known != pages_.end()) return known->second;
    if (pages_.size() >= kMaxPages) pages_.clear();
    std::vector<std::byte> bytes(kPageBytes);
    if (!channel_.ask_memory(process_, target::Address{number * kPageBytes}, bytes)) bytes.clear();
    return pages_.emplace(number, std::move(bytes)).first->second;
}

Result<Done> AskedProcess::read(target::Address address, std::span<std::byte> destination) const {
    std::uint64_t at = target::to_integer(address);
    if (destination.size() > std::numeric_limits<std::uint64_t>::max() - at) {
        return unreadable(address);
    }
    while (!destination.empty()) {
        const std::uint64_t offset = at % kPageBytes;
        std::size_t count = std::min<std::size_t>(destination.size(), kPageBytes - offset);
        const bool large = destination.size() >= kPageBytes;
        const std::vector<std::byte>* cached = large ? nullptr : &page(at / kPageBytes);
        if (cached != nullptr && !cached->empty()) {
            std::copy_n(
                cached->begin() + static_cast<std::ptrdiff_t>(offset), count, destination.begin());
        } else {
            if (large) count = std::min(destination.size(), wire::kMaxMemoryBytes);
            const bool read =
                channel_.ask_memory(process_, target::Address{at}, destination.first(count));
            if (!read) return unreadable(target::Address{at});
        }
        destination = destination.subspan(count);
        at += count;
    }
    return Done{};
}

}  // namespace mqinspect::mqs_host
