#include "mqs_dll/target.h"

#include <cstring>

namespace mqinspect::dll {
namespace {

// Debuggers serve a fetch from one buffer of their own; ask for no more at a time.
constexpr std::size_t kLargestFetch = std::size_t{4} << 20;

bool keeps_byte_order(mqs_process* process, const mqs_process_callbacks* callbacks) {
    if (callbacks->mqs_target_to_host_fp == nullptr) return true;
    const std::uint32_t probe = 0x01020304;
    std::uint32_t converted = 0;
    callbacks->mqs_target_to_host_fp(process, &probe, &converted, 4);
    return converted == probe;
}

}  // namespace

Target::Target(mqs_process* process, const mqs_process_callbacks* callbacks, int pointer_size)
    : process_(process),
      callbacks_(callbacks),
      pointer_size_(pointer_size),
      same_byte_order_(keeps_byte_order(process, callbacks)) {}

Status Target::read(std::uint64_t address, void* buffer, std::size_t bytes) const {
    if (address == 0 || bytes > UINT64_MAX - address) return Status::UnreadableMemory;
    if (callbacks_->mqs_fetch_data_fp == nullptr) return Status::NoCallbacks;
    auto* next = static_cast<unsigned char*>(buffer);
    while (bytes > 0) {
        const std::size_t part = bytes < kLargestFetch ? bytes : kLargestFetch;
        if (callbacks_->mqs_fetch_data_fp(process_, address, static_cast<int>(part), next) !=
            mqs_ok) {
            return Status::UnreadableMemory;
        }
        address += part;
        next += part;
        bytes -= part;
    }
    return Status::Ok;
}

Status Target::read(std::uint64_t address, std::size_t bytes, Array<unsigned char>& buffer) const {
    buffer.clear();
    if (address == 0 || bytes > UINT64_MAX - address) return Status::UnreadableMemory;
    if (!buffer.resize(bytes)) return Status::OutOfMemory;
    const Status status = read(address, buffer.data(), bytes);
    if (!ok(status)) buffer.clear();
    return status;
}

Status Target::read_pointer(std::uint64_t address, std::uint64_t& value) const {
    unsigned char bytes[8] = {};
    const Status status = read(address, bytes, static_cast<std::size_t>(pointer_size_));
    if (ok(status)) value = pointer_at(bytes);
    return status;
}

Status Target::read_int(std::uint64_t address, std::int32_t& value) const {
    unsigned char bytes[4] = {};
    const Status status = read(address, bytes, sizeof bytes);
    if (ok(status)) value = int_at(bytes);
    return status;
}

std::uint64_t Target::unsigned_at(const unsigned char* bytes, int width) const {
    unsigned char value[8] = {};
    if (same_byte_order_) {
        std::memcpy(value, bytes, static_cast<std::size_t>(width));
    } else {
        callbacks_->mqs_target_to_host_fp(process_, bytes, value, width);
    }
    switch (width) {
        case 1:
            return value[0];
        case 2: {
            std::uint16_t result = 0;
            std::memcpy(&result, value, sizeof result);
            return result;
        }
        case 4: {
            std::uint32_t result = 0;
            std::memcpy(&result, value, sizeof result);
            return result;
        }
        default: {
            std::uint64_t result = 0;
            std::memcpy(&result, value, sizeof result);
            return result;
        }
    }
}

std::int64_t Target::signed_at(const unsigned char* bytes, int width) const {
    const std::uint64_t value = unsigned_at(bytes, width);
    const int unused = 64 - 8 * width;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

}  // namespace mqinspect::dll
