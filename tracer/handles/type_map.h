/// Which bytes an element of a datatype touches, in the order of its type map.
#pragma once

#include <cstdint>

#include "tracer/handles/datatypes.h"
#include "tracer/handles/type_contents.h"

namespace mqinspect::tracer {

using DatatypeById = const DatatypeInfo* (*)(std::int64_t id);

/// Fills `segments` of `info`, whose size and bounds are known; leaves them null for types of too
/// many segments and of distributed arrays.
void map_segments(const TypeContents& contents,
                  DatatypeById by_id,
                  DatatypeInfo& info,
                  Arena& arena);

}  // namespace mqinspect::tracer
