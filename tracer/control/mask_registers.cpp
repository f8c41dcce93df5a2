#include "tracer/control/mask_registers.h"

#include <cpuid.h>

#include <cstring>

namespace mqinspect::tracer {

namespace {

// Of the saved state: what the kernel says of it, in a part that the processor leaves alone, and
// the head of what is behind the state of old.
constexpr std::size_t kMagicAt = 464;
constexpr std::size_t kSizeAt = kMagicAt + 16;
constexpr std::size_t kPresentAt = 512;
constexpr std::uint32_t kMagic = 0x4650'5853;
constexpr unsigned kMasks = 5;  ///< the number of this part

template <class Number>
Number read(const std::uint8_t* state, std::size_t at) {
    Number number{};
    std::memcpy(&number, state + at, sizeof number);
    return number;
}

/// Where the part is, which is the same at all times; 0: the processor has none.
std::size_t offset_of_masks() {
    constexpr unsigned leaf = 0xd;
    static const std::size_t offset = [] {
        unsigned bytes = 0;
        unsigned at = 0;
        unsigned unused = 0;
        unsigned unused_too = 0;
        const int known = __get_cpuid_count(leaf, kMasks, &bytes, &at, &unused, &unused_too);
        return known != 0 && bytes != 0 ? std::size_t{at} : 0;
    }();
    return offset;
}

}  // namespace

std::optional<std::uint64_t> mask_register(const ucontext_t& context, std::size_t number) {
    const auto* const state = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.fpregs);
    if (state == nullptr || read<std::uint32_t>(state, kMagicAt) != kMagic) return std::nullopt;
    const std::size_t at = offset_of_masks() + number * sizeof(std::uint64_t);
    const bool there =
        offset_of_masks() != 0 && at + sizeof(std::uint64_t) <= read<std::uint32_t>(state, kSizeAt);
    if (!there) return std::nullopt;
    // Not saved: it is as at the start of the process.
    const auto present = read<std::uint64_t>(state, kPresentAt);
    return (present >> kMasks & 1U) == 0 ? 0 : read<std::uint64_t>(state, at);
}

}  // namespace mqinspect::tracer
