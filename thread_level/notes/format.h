/// How encode() and decode() spell a unit. A unit that gets shorter by it is packed, see packing.h.
///
/// Numbers are LEB128; those that may be negative are zigzagged first (0, -1, 1, -2, ...). A string
/// is its position in the record's table, 0 for the empty one. Strings in the table are sorted:
/// each is the length that it shares with the one before, the length of the rest, and the rest.
/// The length and the rest of the fields are present as bits of a head say.
///
///   record     "MTL" version length unit, or "MTL" packed-version length unit's-length packed-unit
///   unit       flags strings source variables functions idle [taken] [numbers other_numbers]
///              [writers] [tables] [casts] [pointed]
///   idle       hashes, each as difference to the one before; so are other_numbers
///   variable   name head creations other_writes [constant] [levels of a flag]
///   function   head symbol [name] place [type] [overrides] [result] regions steps
///   region     head parent place [mask, fields]        but for the first, if it is as expected
///   step       head [region] [next] [place] [name | target] [mask, fields]
///   value      head [name] [number]
///   place      line as difference to the place before, and one bit: a file follows; [file] column
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::notes {

inline constexpr std::string_view kMagic = "MTL";
inline constexpr unsigned kVersion = 43;
inline constexpr unsigned kPackedVersion = 44;

/// What decoding may allocate: strings, functions, regions, steps. Far above what compilers write.
inline constexpr std::size_t kMemoryPerByte = 160;
inline constexpr std::size_t kMemoryAtLeast = std::size_t{1} << 20U;
/// Letters of all strings of a table up to one, for each byte that the table has up to there.
inline constexpr std::size_t kLettersPerByte = 32;

namespace unit_flag {
inline constexpr unsigned kOpenMp = 1;
inline constexpr unsigned kTaken = 2;
inline constexpr unsigned kNumbers = 4;
inline constexpr unsigned kWriters = 8;
inline constexpr unsigned kTables = 16;
inline constexpr unsigned kCasts = 32;
inline constexpr unsigned kPointed = 64;
}  // namespace unit_flag

namespace variable_head {
inline constexpr unsigned kLocal = 1;
inline constexpr unsigned kConstant = 2;
inline constexpr unsigned kProvided = 4;
inline constexpr unsigned kChanges = 8;
inline constexpr unsigned kLevels = 16;
}  // namespace variable_head

namespace function_head {
inline constexpr unsigned kLocal = 1;
inline constexpr unsigned kMergeable = 2;
inline constexpr unsigned kAddressTaken = 4;
inline constexpr unsigned kReturnsShift = 3;  // three bits of it, see kMoreReturns
inline constexpr unsigned kReturnsMask = 7;
inline constexpr unsigned kName = 64;  // it is not the symbol
inline constexpr unsigned kType = 128;
inline constexpr unsigned kOverrides = 256;
inline constexpr unsigned kFirstRegion = 512;  // it is not as of first_region()
inline constexpr unsigned kResult = 1024;
inline constexpr unsigned kRunsAtStart = 2048;
inline constexpr unsigned kMoreReturns = 4096;  // kReturnsMask + 1 more
}  // namespace function_head

namespace region_head {
inline constexpr unsigned kKindMask = 15;
inline constexpr unsigned kBarrier = 16;
inline constexpr unsigned kTeamShift = 5;  // two bits
inline constexpr unsigned kTeamMask = 3;
inline constexpr unsigned kFields = 128;
}  // namespace region_head

namespace region_field {
inline constexpr unsigned kName = 1;
inline constexpr unsigned kCondition = 2;
inline constexpr unsigned kWrapper = 4;
inline constexpr unsigned kNumber = 8;
inline constexpr unsigned kDependences = 16;
inline constexpr unsigned kTested = 32;
inline constexpr unsigned kLimit = 64;
}  // namespace region_field

namespace step_head {
inline constexpr unsigned kKindMask = 15;
inline constexpr unsigned kNext = 16;    // other than just the step behind
inline constexpr unsigned kRegion = 32;  // other than that of the step before
inline constexpr unsigned kPlace = 64;
inline constexpr unsigned kFields = 128;
inline constexpr unsigned kUnwinding = 256;
inline constexpr unsigned kCaught = 512;
}  // namespace step_head

namespace step_field {
inline constexpr unsigned kName = 1;
inline constexpr unsigned kTarget = 2;
inline constexpr unsigned kVirtual = 4;
inline constexpr unsigned kArguments = 8;
inline constexpr unsigned kCallbacks = 16;
inline constexpr unsigned kCommunicator = 32;
inline constexpr unsigned kPeer = 64;
inline constexpr unsigned kTag = 128;
inline constexpr unsigned kObject = 256;
inline constexpr unsigned kLevel = 512;
inline constexpr unsigned kTestsProvided = 1024;
inline constexpr unsigned kValue = 2048;
inline constexpr unsigned kConditional = 4096;
inline constexpr unsigned kChecked = 8192;
inline constexpr unsigned kByType = 16384;
inline constexpr unsigned kLibrary = 65536;
inline constexpr unsigned kTurn = 32768;  // which one, as the last field but those behind it
inline constexpr unsigned kSparesMoved = 131072;
inline constexpr unsigned kMoved = 262144;
inline constexpr unsigned kCallee = 524288;
inline constexpr unsigned kClass = 1048576;
inline constexpr unsigned kFills = 2097152;
}  // namespace step_field

inline constexpr unsigned kTurns = static_cast<unsigned>(Turn::InOrder) + 1;

namespace value_head {
inline constexpr unsigned kKindMask = 7;
inline constexpr unsigned kCreatedOnce = 8;
inline constexpr unsigned kShared = 16;
inline constexpr unsigned kName = 32;
inline constexpr unsigned kNumber = 64;
inline constexpr unsigned kFurtherKind = 128;  // behind those of the mask
}  // namespace value_head

/// A name follows the head.
inline bool has_name(StepKind kind) {
    return kind == StepKind::Mpi || kind == StepKind::Call || kind == StepKind::Indirect ||
           kind == StepKind::StartThread || kind == StepKind::Keep;
}

/// A region follows the head.
inline bool has_target(StepKind kind) {
    return kind == StepKind::Enter || kind == StepKind::Leave;
}

inline Region first_region(const Place& of_function) {
    Region region;
    region.place = of_function;
    return region;
}

}  // namespace mqinspect::thread_level::notes
