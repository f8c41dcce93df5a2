/// Units into a program: what several of them say, with one set of strings, symbols resolved as a
/// linker would.
#pragma once

#include <string_view>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Symbols with internal linkage get the unit's source in front ("a.c:helper"), so that calls by
/// symbol keep their meaning. Of mergeable functions the first stays. Writes of variables add up;
/// a constant survives if all units that write agree.
Unit join(const std::vector<Unit>& units);

/// Of a symbol that may have the source in front: as its own unit has it.
inline std::string_view without_source(std::string_view symbol) {
    return symbol.substr(symbol.rfind(':') + 1);
}

}  // namespace mqinspect::thread_level
