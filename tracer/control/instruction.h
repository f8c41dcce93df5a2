/// What an instruction of the program will do to memory: decoded by Zydis (Debian: libzydis4.0),
/// which allocates nothing, so that signal handlers may ask.
///
/// The library is loaded when it is first wanted, for this one alone: a program that has no need of
/// it, or a machine without it, is recorded all the same.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace mqinspect::tracer {

/// Of elements that a mask selects, from the first to the last.
struct Access {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool stores = false;   ///< perhaps after a load of the same bytes
    bool partial = false;  ///< perhaps of some of the bytes only: the mask is not known
    /// With the elements that the mask leaves out: processors of AMD stop for them, too.
    std::uint64_t operand = 0;
    std::uint64_t operand_bytes = 0;
};

struct Instruction {
    std::array<Access, 4> accesses;
    std::size_t count = 0;
    std::size_t length = 0;
    /// Asks the kernel for something; `rax` says for what.
    bool is_system_call = false;
};

/// Loads the library; not for signal handlers. False: there is none.
bool can_decode();

/// The one that is about to be executed. Not among its accesses: pushes and pops, what is relative
/// to a segment (variables of a thread), gathered and scattered elements. False: not known.
bool decode(const ucontext_t& context, Instruction& instruction);

/// What is loaded in one piece by an instruction of integers. Functions of the C library load more
/// at a time, beyond what they are given: that is no access of the program's.
constexpr std::uint64_t kLargestWord = 8;

/// Whether the instruction that has just been executed loaded such a piece, with `address` in it,
/// that is not wholly within the `bytes` from `begin` on. Where that instruction begins is not
/// known: it is enough that one of the ways to read the code says so. Precondition: can_decode().
bool has_loaded_beyond(const ucontext_t& context,
                       std::uint64_t address,
                       std::uint64_t begin,
                       std::uint64_t bytes);

/// Whether the mask of the instruction that has just been executed left out what its operand has of
/// the `bytes` from `begin` on in the word at `address`. Otherwise as has_loaded_beyond().
bool has_left_out(const ucontext_t& context,
                  std::uint64_t address,
                  std::uint64_t begin,
                  std::uint64_t bytes);

}  // namespace mqinspect::tracer
