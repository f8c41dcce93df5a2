/// The unit's facts in its object file.
#pragma once

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::plugin {

/// As assembler code beside the unit's own, which also goes through link-time optimization.
void write_note_section(Unit unit);

}  // namespace mqinspect::thread_level::plugin
