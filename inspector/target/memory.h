/// Reading the memory of a process that is not ours.
///
/// Everything above this header sees a target only through `Memory`, so the
/// same code walks a live process, a copy of its stack, or a test's fake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "base/result.h"

namespace mqinspect::target {

/// An address in the target. Not a pointer: it must never be dereferenced here.
enum class Address : std::uint64_t { Null = 0 };

constexpr std::uint64_t to_integer(Address address) {
    return static_cast<std::uint64_t>(address);
}
constexpr Address operator+(Address address, std::uint64_t bytes) {
    return static_cast<Address>(to_integer(address) + bytes);
}

template <class T>
concept TriviallyCopyable = std::is_trivially_copyable_v<T>;

/// Read-only view of one target's address space.
///
/// The bytes may change between two reads unless the target is stopped; callers
/// that follow pointers must therefore bound every walk. Not thread-safe.
class Memory {
public:
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    virtual ~Memory() = default;

    /// Fills all of `destination` from `address`, or fails with BadAddress (the
    /// message names the address), TargetExited or PermissionDenied and leaves
    /// its content unspecified. There are no short reads.
    virtual Result<Done> read(Address address, std::span<std::byte> destination) const = 0;
};

/// Reads a `T` laid out as on this machine (x86-64 targets only).
template <TriviallyCopyable T>
Result<T> read_value(const Memory& memory, Address address) {
    T value{};
    TRY(memory.read(address, std::as_writable_bytes(std::span{&value, 1})));
    return value;
}

/// Reads up to the terminating NUL. Longer than `limit` bytes is CorruptData:
/// the strings we read (names, paths) have bounds.
Result<std::string> read_string(const Memory& memory, Address address, std::size_t limit);

}  // namespace mqinspect::target
