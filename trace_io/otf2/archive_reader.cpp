#include "trace_io/otf2/archive_reader.h"

#include <memory>
#include <utility>

namespace mqinspect::trace_io {
namespace {

// A hostile archive may claim any number.
constexpr std::uint32_t kMostMembers = 1 << 22;

ReadDefinitions& definitions_of(void* data) {
    return *static_cast<ReadDefinitions*>(data);
}

OTF2_CallbackCode take_text(void* data, OTF2_StringRef self, const char* text) {
    definitions_of(data).texts[self] = text == nullptr ? "" : text;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_clock(
    void* data, std::uint64_t resolution, std::uint64_t offset, std::uint64_t, std::uint64_t) {
    if (resolution != 0) definitions_of(data).resolution = resolution;
    definitions_of(data).offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_region(void* data,
                              OTF2_RegionRef self,
                              OTF2_StringRef name,
                              OTF2_StringRef,
                              OTF2_StringRef,
                              OTF2_RegionRole,
                              OTF2_Paradigm paradigm,
                              OTF2_RegionFlag,
                              OTF2_StringRef file,
                              std::uint32_t,
                              std::uint32_t) {
    definitions_of(data).regions[self] = {name, file, paradigm};
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_location_group(void* data,
                                      OTF2_LocationGroupRef self,
                                      OTF2_StringRef name,
                                      OTF2_LocationGroupType type,
                                      OTF2_SystemTreeNodeRef,
                                      OTF2_LocationGroupRef) {
    if (type == OTF2_LOCATION_GROUP_TYPE_PROCESS) definitions_of(data).processes[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_location(void* data,
                                OTF2_LocationRef self,
                                OTF2_StringRef,
                                OTF2_LocationType type,
                                std::uint64_t,
                                OTF2_LocationGroupRef group) {
    if (type == OTF2_LOCATION_TYPE_CPU_THREAD)
        definitions_of(data).locations.push_back({self, group});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_group(void* data,
                             OTF2_GroupRef self,
                             OTF2_StringRef,
                             OTF2_GroupType type,
                             OTF2_Paradigm paradigm,
                             OTF2_GroupFlag,
                             std::uint32_t count,
                             const std::uint64_t* members) {
    if (paradigm != OTF2_PARADIGM_MPI || count > kMostMembers) return OTF2_CALLBACK_SUCCESS;
    ReadGroup group;
    group.type = type;
    if (members != nullptr) group.members.assign(members, members + count);
    // EZTrace gives another group the same number.
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) definitions_of(data).ranks = group.members;
    definitions_of(data).groups[self] = std::move(group);
    return OTF2_CALLBACK_SUCCESS;
}

bool is_told(OTF2_CommFlag flags) {
    return (flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS) != 0;
}

OTF2_CallbackCode take_comm(void* data,
                            OTF2_CommRef self,
                            OTF2_StringRef name,
                            OTF2_GroupRef group,
                            OTF2_CommRef,
                            OTF2_CommFlag flags) {
    definitions_of(data).communicators[self] = {name, group, OTF2_UNDEFINED_GROUP, is_told(flags)};
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_inter_comm(void* data,
                                  OTF2_CommRef self,
                                  OTF2_StringRef name,
                                  OTF2_GroupRef group,
                                  OTF2_GroupRef remote,
                                  OTF2_CommRef,
                                  OTF2_CommFlag flags) {
    definitions_of(data).communicators[self] = {name, group, remote, is_told(flags)};
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_window(void* data,
                              OTF2_RmaWinRef self,
                              OTF2_StringRef name,
                              OTF2_CommRef communicator,
                              OTF2_RmaWinFlag) {
    definitions_of(data).windows[self] = {name, communicator};
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_attribute(
    void* data, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_Type) {
    definitions_of(data).attributes[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_parameter(void* data,
                                 OTF2_ParameterRef self,
                                 OTF2_StringRef name,
                                 OTF2_ParameterType) {
    definitions_of(data).parameters[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_context(void* data,
                               OTF2_CallingContextRef self,
                               OTF2_RegionRef region,
                               OTF2_SourceCodeLocationRef place,
                               OTF2_CallingContextRef parent) {
    definitions_of(data).contexts[self] = {region, place, parent};
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode take_place(void* data,
                             OTF2_SourceCodeLocationRef self,
                             OTF2_StringRef file,
                             std::uint32_t line) {
    definitions_of(data).places[self] = {file, line};
    return OTF2_CALLBACK_SUCCESS;
}

struct DeleteCallbacks {
    void operator()(OTF2_GlobalDefReaderCallbacks* callbacks) const {
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    }
};

}  // namespace

const std::string& ReadDefinitions::text(OTF2_StringRef text) const {
    static const std::string none;
    const auto found = texts.find(text);
    return found == texts.end() ? none : found->second;
}

Result<ReadDefinitions> read_definitions(OTF2_Reader* reader) {
    ReadDefinitions definitions;
    OTF2_GlobalDefReader* const in = OTF2_Reader_GetGlobalDefReader(reader);
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, DeleteCallbacks> callbacks(
        OTF2_GlobalDefReaderCallbacks_New());
    OTF2_GlobalDefReaderCallbacks* const set = callbacks.get();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(set, take_text);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(set, take_clock);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(set, take_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(set, take_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(set, take_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(set, take_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(set, take_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(set, take_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(set, take_window);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(set, take_attribute);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(set, take_parameter);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(set, take_context);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(set, take_place);
    std::uint64_t count = 0;
    const bool good =
        in != nullptr &&
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, in, set, &definitions) == OTF2_SUCCESS &&
        OTF2_Reader_ReadAllGlobalDefinitions(reader, in, &count) == OTF2_SUCCESS;
    if (!good)
        return Error{ErrorCode::CorruptData, "its global definitions are damaged or missing"};
    return definitions;
}

}  // namespace mqinspect::trace_io
