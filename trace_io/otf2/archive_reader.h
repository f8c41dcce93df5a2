/// The definitions of an OTF2 archive that is read.
#pragma once

#include <cstdint>
#include <map>
#include <otf2/otf2.h>
#include <string>
#include <vector>

#include "base/result.h"

namespace mqinspect::trace_io {

struct ReadRegion {
    OTF2_StringRef name = 0;
    OTF2_StringRef file = 0;
    OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
};

struct ReadLocation {
    OTF2_LocationRef self = 0;
    OTF2_LocationGroupRef group = 0;
};

struct ReadCommunicator {
    OTF2_StringRef name = 0;
    OTF2_GroupRef group = 0;
    OTF2_GroupRef remote = OTF2_UNDEFINED_GROUP;
    bool told = false;  ///< there are events of its making and its end
};

struct ReadWindow {
    OTF2_StringRef name = 0;
    OTF2_CommRef communicator = 0;
};

struct ReadGroup {
    OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
    std::vector<std::uint64_t> members;
};

struct ReadContext {
    OTF2_RegionRef region = 0;
    OTF2_SourceCodeLocationRef place = 0;
    OTF2_CallingContextRef parent = 0;
};

struct ReadDefinitions {
    std::uint64_t resolution = 1'000'000'000;
    std::uint64_t offset = 0;
    std::map<OTF2_StringRef, std::string> texts;
    std::map<OTF2_RegionRef, ReadRegion> regions;
    std::map<OTF2_LocationGroupRef, OTF2_StringRef> processes;  ///< names
    std::vector<ReadLocation> locations;
    /// The locations of MPI processes, by rank; empty: the archive is of no MPI program.
    std::vector<OTF2_LocationRef> ranks;
    std::map<OTF2_GroupRef, ReadGroup> groups;
    std::map<OTF2_CommRef, ReadCommunicator> communicators;
    std::map<OTF2_RmaWinRef, ReadWindow> windows;
    std::map<OTF2_AttributeRef, OTF2_StringRef> attributes;
    std::map<OTF2_ParameterRef, OTF2_StringRef> parameters;
    std::map<OTF2_CallingContextRef, ReadContext> contexts;
    std::map<OTF2_SourceCodeLocationRef, std::pair<OTF2_StringRef, std::uint32_t>> places;

    const std::string& text(OTF2_StringRef text) const;
};

Result<ReadDefinitions> read_definitions(OTF2_Reader* reader);

}  // namespace mqinspect::trace_io
