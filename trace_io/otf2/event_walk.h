/// The events of an archive's locations, handed to the import of their process.
#pragma once

#include <otf2/otf2.h>

#include "trace_io/otf2/event_import.h"

namespace mqinspect::trace_io {

/// Reads the events of a location twice: first how operations will end, then all that takes place.
/// False: they are damaged or missing.
bool walk_events(OTF2_Reader* reader, OTF2_LocationRef location, ProcessImport& process);

}  // namespace mqinspect::trace_io
