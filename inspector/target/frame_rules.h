/// Call frame information: how to find the caller's registers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

namespace mqinspect::target {

/// What the call frame information says at one instruction.
struct FrameRule {
    struct Register {
        enum class Kind {
            Unknown,    ///< not preserved
            Same,       ///< not changed
            AtCfa,      ///< saved in memory at the CFA plus offset
            CfaOffset,  ///< the CFA plus offset
            Expression,
        } kind = Kind::Unknown;
        std::int64_t offset = 0;
        std::vector<Dwarf_Op> expression;
    };

    /// The CFA is a register plus an offset unless there is an expression.
    unsigned cfa_register = 0;
    std::int64_t cfa_offset = 0;
    std::vector<Dwarf_Op> cfa_expression;
    std::array<Register, 17> registers;
    unsigned return_register = 16;
    /// The frame of a signal handler's return: its caller was interrupted.
    bool signal_frame = false;
};

/// The rules of one image. Each instruction asked for is looked up once: the
/// ranks of a job stand at the same few places.
class FrameRules {
public:
    /// `dwarf` is called when .eh_frame does not cover an address, since opening
    /// debug information takes long where it is compressed; it may return null.
    /// Both must outlive this.
    FrameRules(Elf* elf, std::function<Dwarf*()> dwarf);
    ~FrameRules();
    FrameRules(const FrameRules&) = delete;
    FrameRules& operator=(const FrameRules&) = delete;

    /// Null if nothing covers the address as linked. Valid as long as this.
    const FrameRule* at(std::uint64_t address);

private:
    Dwarf_CFI* eh_frame_;  // ours
    std::function<Dwarf*()> dwarf_;
    std::unordered_map<std::uint64_t, std::vector<FrameRule>> known_;  // none or one
};

}  // namespace mqinspect::target
