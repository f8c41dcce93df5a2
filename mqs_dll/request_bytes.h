/// The bytes of one MPIR_Request that was read.
#pragma once

#include <cstdint>

#include "mqs_dll/layout.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Borrows everything. Offsets are those of a layout; for one that is unknown (-1)
/// the functions return a value that says so.
class RequestBytes {
public:
    RequestBytes(const Target& target, const Layout& layout, const unsigned char* bytes)
        : target_(target), layout_(layout), bytes_(bytes) {}

    const Layout& layout() const { return layout_; }
    const Target& target() const { return target_; }
    const unsigned char* at(int offset) const { return bytes_ + offset; }

    std::uint32_t word(int offset, std::uint32_t absent) const {
        return offset < 0 ? absent : static_cast<std::uint32_t>(target_.int_at(bytes_ + offset));
    }
    /// 0 if unknown.
    std::uint64_t pointer(int offset) const {
        return offset < 0 ? 0 : target_.pointer_at(bytes_ + offset);
    }
    /// An MPI_Aint; -1 if unknown.
    std::int64_t aint(int offset) const {
        return offset < 0 ? -1 : target_.signed_at(bytes_ + offset, layout_.pointer_size);
    }
    /// Offset in the request of a field of its device part.
    int device(int offset) const { return offset < 0 ? -1 : layout_.request_dev + offset; }

private:
    const Target& target_;
    const Layout& layout_;
    const unsigned char* bytes_;
};

}  // namespace mqinspect::dll
