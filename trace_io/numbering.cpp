#include "trace_io/numbering.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "trace_io/communicators.h"

namespace mqinspect::trace_io {
namespace {

using model::DefinitionKind;
using model::Execution;
using model::ProcessId;

// The number of a thing in `things`, which gets it if no process has told of an equal one yet.
template <class Key, class T>
std::int32_t number_of(std::map<Key, std::int32_t>& numbers,
                       std::vector<T>& things,
                       Key key,
                       const T& thing) {
    const auto [place, is_new] =
        numbers.emplace(std::move(key), static_cast<std::int32_t>(things.size()));
    if (is_new) things.push_back(thing);
    return place->second;
}

std::int32_t look_up(const Numbering& numbering, std::int64_t id) {
    return id >= 0 && static_cast<std::size_t>(id) < numbering.size()
               ? numbering[static_cast<std::size_t>(id)]
               : -1;
}

struct StackHash {
    std::size_t operator()(const std::vector<model::CodePlace>& stack) const {
        std::uint64_t hash = stack.size();
        for (const model::CodePlace& place : stack) {
            hash = (hash ^ place.offset ^ (static_cast<std::uint64_t>(place.image) << 48U)) *
                   0x9e37'79b9'7f4a'7c15ULL;
            hash ^= hash >> 29U;
        }
        return hash;
    }
};

class Numberer {
public:
    Numberer(const std::vector<Place>& places, Execution& execution)
        : execution_(execution), communicators_(places, execution.communicators) {
        execution_.stacks.emplace_back();
        stacks_.emplace(std::vector<model::CodePlace>{}, 0);
    }

    Translation add(ProcessId process, const Definitions& definitions);

private:
    Numbering procedures(const Definitions& definitions);
    Numbering images(const Definitions& definitions);
    Numbering stacks(const Definitions& definitions, const Numbering& images);
    Numbering datatypes(const Definitions& definitions);
    Numbering operators(const Definitions& definitions, const Numbering& images);
    Numbering windows(ProcessId process,
                      const Definitions& definitions,
                      const Numbering& communicators);
    Numbering files(ProcessId process,
                    const Definitions& definitions,
                    const Numbering& communicators);
    Numbering texts(const Definitions& definitions);
    void remarks(ProcessId process, const Definitions& definitions, const Translation& known);

    using ParameterKey =
        std::vector<std::tuple<std::string, model::ParameterKind, model::Direction>>;
    using DatatypeKey = std::tuple<std::string,
                                   std::string,
                                   std::vector<std::int64_t>,
                                   std::vector<std::int64_t>,
                                   std::vector<std::int32_t>,
                                   std::array<std::int64_t, 5>>;

    Execution& execution_;
    Communicators communicators_;
    std::map<std::pair<std::string, ParameterKey>, std::int32_t> procedures_;
    std::map<std::tuple<std::string, std::string, std::string>, std::int32_t> images_;
    std::unordered_map<std::vector<model::CodePlace>, std::int32_t, StackHash> stacks_;
    std::map<DatatypeKey, std::int32_t> datatypes_;
    std::map<std::tuple<std::string, bool, std::string>, std::int32_t> operators_;
    /// Communicator, kind, how many the process has described on it before.
    std::map<std::tuple<std::int32_t, std::string, int>, std::int32_t> windows_;
    std::map<std::tuple<std::int32_t, std::string, int>, std::int32_t> files_;
    std::map<std::string, std::int32_t> texts_;
};

Numbering Numberer::procedures(const Definitions& definitions) {
    Numbering numbering(definitions.procedures.size(), -1);
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.procedures[id]) continue;
        const model::Procedure& procedure = *definitions.procedures[id];
        ParameterKey key;
        for (const model::Parameter& parameter : procedure.parameters)
            key.emplace_back(parameter.name, parameter.kind, parameter.direction);
        numbering[id] = number_of(
            procedures_, execution_.procedures, {procedure.name, std::move(key)}, procedure);
    }
    return numbering;
}

Numbering Numberer::images(const Definitions& definitions) {
    Numbering numbering(definitions.images.size(), -1);
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.images[id]) continue;
        const auto& [path, build_id, function] = *definitions.images[id];
        numbering[id] = number_of(images_,
                                  execution_.images,
                                  {path, build_id, function},
                                  model::RecordedImage{path, build_id, function});
    }
    return numbering;
}

Numbering Numberer::stacks(const Definitions& definitions, const Numbering& images) {
    Numbering numbering(definitions.stacks.size(), -1);
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.stacks[id]) continue;
        std::vector<model::CodePlace> stack;
        for (const StackFrame& frame : *definitions.stacks[id])
            stack.push_back({look_up(images, frame.image - 1), frame.offset});
        const auto [place, is_new] =
            stacks_.emplace(stack, static_cast<std::int32_t>(execution_.stacks.size()));
        if (is_new) execution_.stacks.push_back(std::move(stack));
        numbering[id] = place->second;
    }
    return numbering;
}

Numbering Numberer::datatypes(const Definitions& definitions) {
    Numbering numbering(definitions.datatypes.size(), -1);
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.datatypes[id]) continue;
        model::RecordedDatatype datatype = definitions.datatypes[id]->datatype;
        std::vector<std::int32_t> types;
        for (const std::int64_t type : definitions.datatypes[id]->types) {
            types.push_back(look_up(numbering, type));
            if (types.back() >= 0) datatype.types.emplace_back(types.back());
        }
        // With a part that is unknown, such as a type that the MPI library has made for itself,
        // what it consists of is unknown, too.
        if (datatype.types.size() != types.size()) {
            datatype.combiner.clear();
            datatype.integers.clear();
            datatype.addresses.clear();
            datatype.types.clear();
            types.clear();
        }
        datatype.id = model::DatatypeId(static_cast<int>(execution_.datatypes.size()));
        DatatypeKey key{datatype.name,
                        datatype.combiner,
                        datatype.integers,
                        datatype.addresses,
                        types,
                        {datatype.size,
                         datatype.lower_bound,
                         datatype.extent,
                         datatype.true_lower_bound,
                         datatype.true_extent}};
        numbering[id] = number_of(datatypes_, execution_.datatypes, std::move(key), datatype);
    }
    return numbering;
}

Numbering Numberer::operators(const Definitions& definitions, const Numbering& images) {
    Numbering numbering(definitions.operators.size(), -1);
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.operators[id]) continue;
        const OperatorDefinition& definition = *definitions.operators[id];
        model::RecordedOperator op;
        op.name = definition.name;
        op.commutes = definition.commutes;
        const std::int32_t image = look_up(images, definition.image - 1);
        if (op.name.empty()) {
            const std::string path =
                image < 0 ? "?" : execution_.images[static_cast<std::size_t>(image)].path;
            op.function =
                fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), definition.offset);
        }
        numbering[id] =
            number_of(operators_, execution_.operators, {op.name, op.commutes, op.function}, op);
    }
    return numbering;
}

Numbering Numberer::windows(ProcessId process,
                            const Definitions& definitions,
                            const Numbering& communicators) {
    Numbering numbering(definitions.windows.size(), -1);
    std::map<std::pair<std::int32_t, std::string>, int> before;
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.windows[id]) continue;
        const WindowDefinition& definition = *definitions.windows[id];
        const std::int32_t communicator = look_up(communicators, definition.communicator);
        if (communicator < 0) continue;
        model::RecordedWindow window;
        window.communicator = model::CommunicatorId(communicator);
        window.kind = definition.kind;
        const int nth = before[{communicator, definition.kind}]++;
        numbering[id] =
            number_of(windows_, execution_.windows, {communicator, definition.kind, nth}, window);
        model::RecordedWindow::Part part = definition.part;
        part.process = process;
        execution_.windows[static_cast<std::size_t>(numbering[id])].parts.push_back(part);
    }
    return numbering;
}

Numbering Numberer::files(ProcessId process,
                          const Definitions& definitions,
                          const Numbering& communicators) {
    Numbering numbering(definitions.files.size(), -1);
    std::map<std::pair<std::int32_t, std::string>, int> before;
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.files[id]) continue;
        const FileDefinition& definition = *definitions.files[id];
        const std::int32_t communicator = look_up(communicators, definition.communicator);
        // Processes may have other ways to the folder of the same file.
        const std::string base(model::without_folder(definition.name));
        const int nth = before[{communicator, base}]++;
        model::RecordedFile file{model::CommunicatorId(communicator), definition.name, {}};
        if (!definition.path.empty()) {
            file.place = execution_.processes[process.index()].host + ':' +
                         std::to_string(definition.device) + ':' +
                         std::to_string(definition.number) + ':' + definition.path;
        }
        numbering[id] = number_of(files_, execution_.files, {communicator, base, nth}, file);
    }
    return numbering;
}

Numbering Numberer::texts(const Definitions& definitions) {
    Numbering numbering(definitions.texts.size(), -1);
    for (std::size_t id = 0; id < numbering.size(); ++id) {
        if (!definitions.texts[id]) continue;
        const std::string& text = *definitions.texts[id];
        numbering[id] = number_of(texts_, execution_.texts, std::string(text), text);
    }
    return numbering;
}

void Numberer::remarks(ProcessId process,
                       const Definitions& definitions,
                       const Translation& known) {
    for (const Remark& remark : definitions.names) {
        if (remark.kind == DefinitionKind::Communicator) {
            const std::int32_t id = look_up(known.communicators, remark.id);
            if (id >= 0) execution_.communicators[static_cast<std::size_t>(id)].name = remark.name;
        } else if (remark.kind == DefinitionKind::Datatype) {
            const std::int32_t id = look_up(known.datatypes, remark.id);
            if (id >= 0) execution_.datatypes[static_cast<std::size_t>(id)].name = remark.name;
        }
    }
    for (const Remark& remark : definitions.freed) {
        if (remark.kind != DefinitionKind::Communicator) continue;
        const std::int32_t id = look_up(known.communicators, remark.id);
        if (id < 0) continue;
        auto& freed_by = execution_.communicators[static_cast<std::size_t>(id)].freed_by;
        if (!std::ranges::binary_search(freed_by, process)) {
            freed_by.insert(std::ranges::upper_bound(freed_by, process), process);
        }
    }
}

Translation::Constants constants_of(const Definitions& definitions) {
    Translation::Constants constants;
    const auto take = [&](std::string_view name, std::int64_t& constant) {
        const auto found = definitions.constants.find(name);
        if (found != definitions.constants.end()) constant = found->second;
    };
    take("MPI_PROC_NULL", constants.proc_null);
    take("MPI_ANY_SOURCE", constants.any_source);
    take("MPI_ROOT", constants.root);
    take("MPI_ANY_TAG", constants.any_tag);
    take("MPI_UNDEFINED", constants.undefined);
    take("MPI_BOTTOM", constants.bottom);
    take("MPI_IN_PLACE", constants.in_place);
    return constants;
}

Translation Numberer::add(ProcessId process, const Definitions& definitions) {
    Translation translation;
    const Numbering images = this->images(definitions);
    translation.procedures = procedures(definitions);
    translation.stacks = stacks(definitions, images);
    translation.communicators = communicators_.add(process, definitions.communicators);
    translation.datatypes = datatypes(definitions);
    translation.operators = operators(definitions, images);
    translation.windows = windows(process, definitions, translation.communicators);
    translation.files = files(process, definitions, translation.communicators);
    translation.texts = texts(definitions);
    translation.constants = constants_of(definitions);
    remarks(process, definitions, translation);
    for (const auto& [name, value] : definitions.constants)
        execution_.constants.emplace(name, value);
    std::vector<model::RecordedErrorCode> codes = definitions.error_codes;
    std::ranges::stable_sort(codes, {}, &model::RecordedErrorCode::code);
    for (model::RecordedErrorCode& code : codes) {
        code.process = process;
        execution_.error_codes.push_back(std::move(code));
    }
    return translation;
}

std::string thread_level(const Definitions& definitions, std::int64_t level) {
    for (const char* name : {"MPI_THREAD_SINGLE",
                             "MPI_THREAD_FUNNELED",
                             "MPI_THREAD_SERIALIZED",
                             "MPI_THREAD_MULTIPLE"}) {
        const auto found = definitions.constants.find(name);
        if (found != definitions.constants.end() && found->second == level) return name;
    }
    return "";
}

model::RecordedProcess describe(ProcessId id, const Place& place, const ProcessFiles* files) {
    model::RecordedProcess process;
    process.id = id;
    process.rank = model::WorldRank(place.rank);
    process.world = place.world;
    process.world_size = place.world_size;
    process.incomplete = files == nullptr || files->incomplete;
    if (files == nullptr) return process;
    const Definitions& definitions = files->definitions;
    process.host = definitions.host;
    process.executable = definitions.executable;
    process.mpi_library = definitions.mpi_library;
    if (definitions.world) {
        process.thread_required = thread_level(definitions, definitions.world->thread_required);
        process.thread_provided = thread_level(definitions, definitions.world->thread_provided);
    }
    process.pid = static_cast<std::int64_t>(files->pid);
    return process;
}

}  // namespace

std::vector<Translation> number_all(const std::vector<ProcessFiles>& processes,
                                    const std::vector<Place>& places,
                                    Execution& execution) {
    Numberer numberer(places, execution);
    std::vector<Translation> translations;
    for (std::size_t at = 0; at < places.size(); ++at) {
        const Place& place = places[at];
        const ProcessId id(static_cast<int>(at));
        const ProcessFiles* files = place.files ? &processes[*place.files] : nullptr;
        execution.processes.push_back(describe(id, place, files));
        Translation translation;
        if (files != nullptr) translation = numberer.add(id, files->definitions);
        translation.first_of_world = place.first_of_world;
        translation.world_size = place.world_size;
        translations.push_back(std::move(translation));
    }
    return translations;
}

}  // namespace mqinspect::trace_io
