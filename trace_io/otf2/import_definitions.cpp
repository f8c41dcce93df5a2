// The definitions of an imported process: who it is, communicators, procedures, stacks.
#include <algorithm>

#include "model/execution.h"

#include "trace_io/otf2/definitions.h"
#include "trace_io/otf2/event_import.h"

namespace mqinspect::trace_io {
namespace {

using model::DefinitionKind;

constexpr std::size_t kMostFrames = 64;

void define_datatype(LogWriter& log, std::int64_t id, const char* name, const char* combiner) {
    LogFields fields;
    fields.number(id).text(name).text(combiner).length(0).length(0).length(0);
    log.define(DefinitionKind::Datatype, fields.number(1).number(0).number(1).number(0).number(1));
}

/// Members of a group as triplets.
void put_members(LogFields& fields, const std::vector<std::uint64_t>& members) {
    fields.length(members.size());
    for (const std::uint64_t member : members) {
        fields.number(static_cast<std::int64_t>(member))
            .number(static_cast<std::int64_t>(member))
            .number(1);
    }
}

}  // namespace

void ProcessImport::define_process() {
    log_.define(DefinitionKind::Process,
                LogFields().text("").text("").length(0).text("").text("otf2"));
    log_.define(DefinitionKind::Clock, LogFields().number(0).number(kImportStart));
    log_.define(
        DefinitionKind::Clock,
        LogFields().number(kImportStart).number(2 * static_cast<std::int64_t>(kImportStart)));
    log_.define(DefinitionKind::World,
                LogFields()
                    .number(rank_)
                    .number(static_cast<std::int64_t>(ranks_.size()))
                    .number(1)
                    .number(3)
                    .number(3));
    const std::pair<const char*, std::int64_t> constants[] = {
        {"MPI_ANY_SOURCE", model::kAnySource},
        {"MPI_ANY_TAG", model::kAnyTag},
        {"MPI_PROC_NULL", model::kProcNull},
        {"MPI_ROOT", model::kRoot},
        {"MPI_LOCK_EXCLUSIVE", kExclusiveLock},
        {"MPI_LOCK_SHARED", kSharedLock},
        {"MPI_THREAD_MULTIPLE", 3}};
    for (const auto& [name, value] : constants)
        log_.define(DefinitionKind::Constant, LogFields().text(name).number(value));
    log_.define(DefinitionKind::Image,
                LogFields().number(0).text("[otf2]").text("").number(0).number(0));
    define_datatype(log_, 0, "MPI_BYTE", "MPI_COMBINER_NAMED");
    define_datatype(log_, kUnknownDatatype, "(not recorded)", "");
}

void ProcessImport::define_communicators() {
    std::vector<std::uint64_t> everybody(ranks_.size());
    for (std::size_t at = 0; at < everybody.size(); ++at)
        everybody[at] = at;
    LogFields world;
    world.number(0).number(model::kNullHandle).text("MPI_COMM_WORLD").number(0).number(0);
    world.number(rank_).length(1).number(0).number(static_cast<std::int64_t>(ranks_.size()) - 1);
    world.number(1).length(0).length(0).text("").length(0).length(0);
    log_.define(DefinitionKind::Communicator, world);
    bool world_is_known = false;
    std::int64_t next = 1;
    for (const auto& [self, read] : definitions_.communicators) {
        const auto group = definitions_.groups.find(read.group);
        if (group == definitions_.groups.end()) continue;
        const bool whole =
            group->second.members == everybody && read.remote == OTF2_UNDEFINED_GROUP;
        const std::string name = definitions_.text(read.name);
        if (whole && !world_is_known && (name.empty() || name == "MPI_COMM_WORLD")) {
            world_is_known = true;
            communicators_[self] = 0;
            continue;
        }
        const auto remote = definitions_.groups.find(read.remote);
        const auto is_member = [&](const ReadGroup& each) {
            return std::ranges::find(each.members, static_cast<std::uint64_t>(rank_)) !=
                   each.members.end();
        };
        const bool alone = group->second.type == OTF2_GROUP_TYPE_COMM_SELF;
        const bool here = alone || is_member(group->second) ||
                          (remote != definitions_.groups.end() && is_member(remote->second));
        if (!here) continue;
        communicators_[self] = next;
        define_communicator(next++, self, read);
    }
}

void ProcessImport::define_communicator(std::int64_t id,
                                        OTF2_CommRef self,
                                        const ReadCommunicator& read) {
    const ReadGroup& group = definitions_.groups.at(read.group);
    std::vector<std::uint64_t> members = group.members;
    if (group.type == OTF2_GROUP_TYPE_COMM_SELF) members = {static_cast<std::uint64_t>(rank_)};
    std::vector<std::uint64_t> remote;
    if (const auto found = definitions_.groups.find(read.remote);
        found != definitions_.groups.end())
        remote = found->second.members;
    const auto own = static_cast<std::uint64_t>(rank_);
    if (std::ranges::find(members, own) == members.end()) members.swap(remote);
    const auto place = std::ranges::find(members, own) - members.begin();
    LogFields fields;
    fields.number(id).number(0).text("OTF2").number(self).number(0).number(place);
    put_members(fields, members);
    put_members(fields, remote);
    // It may have one.
    constexpr const char* topology = "unknown";
    fields.length(0).text(topology).length(0).length(0);
    log_.define(DefinitionKind::Communicator, fields);
    const std::string name = definitions_.text(read.name);
    const auto kind = static_cast<std::int64_t>(DefinitionKind::Communicator);
    if (!name.empty())
        log_.define(DefinitionKind::Name, LogFields().number(kind).number(id).text(name));
    if (!read.told) log_.define(DefinitionKind::Freed, LogFields().number(kind).number(id));
}

// Of its memory archives say nothing.
void ProcessImport::define_windows() {
    for (const auto& [self, read] : definitions_.windows) {
        const std::int64_t known = communicator(read.communicator);
        if (known < 0) continue;
        const auto id = static_cast<std::int64_t>(windows_.size());
        windows_[self] = id;
        LogFields fields;
        fields.number(id).number(known).text(definitions_.text(read.name));
        fields.number(0).number(0).number(1);
        log_.define(DefinitionKind::Window, fields);
    }
}

std::int64_t ProcessImport::procedure(const std::string& name,
                                      const ImportedParameters& parameters) {
    const auto number = static_cast<std::int64_t>(procedures_.size());
    const auto [known, is_new] = procedures_.emplace(std::pair(name, parameters.size()), number);
    if (!is_new) return known->second;
    LogFields fields;
    fields.number(number).text(name).length(parameters.size());
    for (const auto& [parameter, kind, direction] : parameters) {
        fields.text(parameter)
            .number(static_cast<std::int64_t>(kind))
            .number(static_cast<std::int64_t>(direction));
    }
    log_.define(DefinitionKind::Procedure, fields);
    return number;
}

std::int64_t ProcessImport::define_stack(const std::vector<std::int64_t>& frames) {
    const auto number = static_cast<std::int64_t>(stacks_.size());
    const auto [known, is_new] = stacks_.emplace(frames, number);
    if (!is_new) return known->second;
    LogFields fields;
    fields.number(number).length(frames.size());
    for (const std::int64_t frame : frames)
        fields.number(1).number(frame + 1);
    log_.define(DefinitionKind::Stack, fields);
    return number;
}

std::int64_t ProcessImport::stack_of(OTF2_AttributeList* attributes) {
    std::vector<std::int64_t> frames;
    OTF2_CallingContextRef context = OTF2_UNDEFINED_CALLING_CONTEXT;
    const bool told = attributes_.stack != OTF2_UNDEFINED_ATTRIBUTE &&
                      OTF2_AttributeList_GetCallingContextRef(
                          attributes, attributes_.stack, &context) == OTF2_SUCCESS;
    const OTF2_CallingContextRef asked = context;
    if (told) {
        const auto known = context_stacks_.find(asked);
        if (known != context_stacks_.end()) return known->second;
    }
    const auto function = [&](OTF2_RegionRef region) {
        const auto found = definitions_.regions.find(region);
        ImportedFrame frame;
        if (found == definitions_.regions.end()) return frame;
        frame.function = definitions_.text(found->second.name);
        frame.file = definitions_.text(found->second.file);
        return frame;
    };
    while (told && frames.size() < kMostFrames) {
        const auto found = definitions_.contexts.find(context);
        if (found == definitions_.contexts.end()) break;
        ImportedFrame frame = function(found->second.region);
        const auto place = definitions_.places.find(found->second.place);
        if (place != definitions_.places.end()) {
            frame.file = definitions_.text(place->second.first);
            frame.line = place->second.second;
        }
        frames.push_back(frames_.number(frame));
        context = found->second.parent;
    }
    for (auto region = regions_.rbegin(); !told && region != regions_.rend(); ++region)
        if (frames.size() < kMostFrames) frames.push_back(frames_.number(function(*region)));
    const std::int64_t stack = define_stack(frames);
    if (told) context_stacks_[asked] = stack;
    return stack;
}

}  // namespace mqinspect::trace_io
