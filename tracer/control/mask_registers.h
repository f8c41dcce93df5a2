/// The mask registers of AVX-512 (k0 to k7), which say which elements of a vector an instruction
/// loads or stores.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mqinspect::tracer {

/// As a signal handler was given it: in the state that the kernel saved by XSAVE (Intel's Software
/// Developer's Manual, volume 1, 13.4; linux/arch/x86/include/uapi/asm/sigcontext.h). Empty: it is
/// not there.
std::optional<std::uint64_t> mask_register(const ucontext_t& context, std::size_t number);

}  // namespace mqinspect::tracer
