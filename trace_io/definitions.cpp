#include "trace_io/definitions.h"

#include <fmt/format.h>

#include "model/record_format.h"

#include "trace_io/byte_reader.h"

namespace mqinspect::trace_io {
namespace {

using model::DefinitionKind;

// Numbers count from 0, so that one far beyond the last is damage and not a reason to
// allocate.
constexpr std::int64_t kMostSkipped = 1 << 16;

template <class T>
void put(ById<T>& things, std::int64_t id, T thing, ByteReader& reader) {
    if (id < 0 || id > static_cast<std::int64_t>(things.size()) + kMostSkipped) reader.fail();
    if (!reader.ok()) return;
    const auto at = static_cast<std::size_t>(id);
    if (at >= things.size()) things.resize(at + 1);
    if (!things[at]) things[at] = std::move(thing);
}

std::uint64_t bits(ByteReader& reader) {
    return static_cast<std::uint64_t>(reader.number());
}

void read_process(ByteReader& reader, Definitions& definitions) {
    definitions.host = reader.text();
    definitions.executable = reader.text();
    definitions.command_line.resize(reader.length());
    for (std::string& word : definitions.command_line)
        word = reader.text();
    definitions.mpi_library = reader.text();
    definitions.recorder = reader.text();
}

void read_world(ByteReader& reader, Definitions& definitions) {
    WorldDefinition world;
    world.rank = reader.number();
    world.size = reader.number();
    world.key = bits(reader);
    world.thread_provided = reader.number();
    world.thread_required = reader.number();
    if (world.rank < 0 || world.rank >= world.size || world.size > INT32_MAX) reader.fail();
    if (reader.ok()) definitions.world = world;
}

void read_procedure(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    model::Procedure procedure;
    procedure.name = reader.text();
    procedure.parameters.resize(reader.length());
    for (model::Parameter& parameter : procedure.parameters) {
        parameter.name = reader.text();
        parameter.kind = static_cast<model::ParameterKind>(reader.number());
        const std::int64_t direction = reader.number();
        if (direction < 0 || direction > 2) reader.fail();
        parameter.direction = static_cast<model::Direction>(direction);
    }
    if (!reader.ok()) return;
    if (const auto known = model::find_mpi_function(procedure.name)) procedure.function = *known;
    model::assign_roles(procedure);
    put(definitions.procedures, id, std::move(procedure), reader);
}

void read_image(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    ImageDefinition image;
    image.path = reader.text();
    image.build_id = reader.text();
    reader.number();
    reader.number();
    if (!reader.at_end()) image.script_function = reader.text();
    put(definitions.images, id, std::move(image), reader);
}

void read_stack(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    std::vector<StackFrame> frames(reader.length());
    for (StackFrame& frame : frames) {
        frame.image = reader.number();
        frame.offset = bits(reader);
    }
    put(definitions.stacks, id, std::move(frames), reader);
}

std::vector<std::array<std::int64_t, 3>> read_triplets(ByteReader& reader) {
    std::vector<std::array<std::int64_t, 3>> triplets(reader.length());
    for (auto& triplet : triplets) {
        for (std::int64_t& number : triplet) {
            number = reader.number();
            if (number < INT32_MIN || number > INT32_MAX) reader.fail();
        }
    }
    return triplets;
}

void read_communicator(ByteReader& reader, Definitions& definitions) {
    model::CommunicatorRecord record;
    record.id = reader.number();
    record.parent = reader.number();
    record.constructor = reader.text();
    record.ordinal = reader.number();
    record.tag = reader.number();
    record.comm_rank = reader.number();
    record.members = read_triplets(reader);
    record.remote_members = read_triplets(reader);
    record.foreign.resize(reader.length());
    for (std::uint64_t& number : record.foreign)
        number = bits(reader);
    record.topology = reader.text();
    record.sources = reader.numbers();
    record.destinations = reader.numbers();
    const std::int64_t id = record.id;
    put(definitions.communicators, id, std::move(record), reader);
}

void read_datatype(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    DatatypeDefinition definition;
    model::RecordedDatatype& datatype = definition.datatype;
    datatype.name = reader.text();
    datatype.combiner = reader.text();
    datatype.integers = reader.numbers();
    datatype.addresses = reader.numbers();
    definition.types = reader.numbers();
    datatype.size = reader.number();
    datatype.lower_bound = reader.number();
    datatype.extent = reader.number();
    datatype.true_lower_bound = reader.number();
    datatype.true_extent = reader.number();
    put(definitions.datatypes, id, std::move(definition), reader);
}

void read_operator(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    OperatorDefinition definition;
    definition.name = reader.text();
    definition.commutes = reader.number() != 0;
    definition.image = reader.number();
    definition.offset = bits(reader);
    put(definitions.operators, id, std::move(definition), reader);
}

void read_window(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    WindowDefinition window;
    window.communicator = reader.number();
    window.kind = reader.text();
    window.part.base = bits(reader);
    window.part.bytes = reader.number();
    window.part.displacement_unit = reader.number();
    put(definitions.windows, id, std::move(window), reader);
}

void read_file(ByteReader& reader, Definitions& definitions) {
    const std::int64_t id = reader.number();
    FileDefinition file;
    file.communicator = reader.number();
    file.name = reader.text();
    reader.number();
    if (!reader.at_end()) {
        file.path = reader.text();
        file.device = reader.number();
        file.number = reader.number();
    }
    put(definitions.files, id, std::move(file), reader);
}

void read_remark(ByteReader& reader, DefinitionKind kind, Definitions& definitions) {
    Remark remark;
    remark.kind = static_cast<DefinitionKind>(reader.number());
    remark.id = reader.number();
    if (kind == DefinitionKind::Name) remark.name = reader.text();
    if (!reader.ok()) return;
    auto& remarks = kind == DefinitionKind::Name ? definitions.names : definitions.freed;
    remarks.push_back(std::move(remark));
}

void read_small(ByteReader& reader, DefinitionKind kind, Definitions& definitions) {
    switch (kind) {
        case DefinitionKind::Clock: {
            const ClockPoint point{bits(reader), bits(reader)};
            if (reader.ok()) definitions.clock.push_back(point);
            break;
        }
        case DefinitionKind::Job:
            definitions.job = bits(reader);
            break;
        case DefinitionKind::Spawn: {
            const SpawnDefinition spawn{reader.number(), bits(reader), bits(reader)};
            if (reader.ok()) definitions.spawns.push_back(spawn);
            break;
        }
        case DefinitionKind::Constant: {
            std::string name = reader.text();
            const std::int64_t value = reader.number();
            if (reader.ok()) definitions.constants.insert_or_assign(std::move(name), value);
            break;
        }
        case DefinitionKind::Text: {
            const std::int64_t id = reader.number();
            put(definitions.texts, id, reader.text(), reader);
            break;
        }
        case DefinitionKind::Thread: {
            const std::int64_t id = reader.number();
            const std::int64_t os_id = reader.number();
            put(definitions.threads, id, ThreadDefinition{os_id, reader.number() != 0}, reader);
            break;
        }
        case DefinitionKind::ErrorCode: {
            model::RecordedErrorCode code;
            code.code = reader.number();
            code.error_class = reader.text();
            code.text = reader.text();
            if (reader.ok()) definitions.error_codes.push_back(std::move(code));
            break;
        }
        default:
            break;
    }
}

void read_definition(ByteReader& reader, DefinitionKind kind, Definitions& definitions) {
    switch (kind) {
        case DefinitionKind::Process:
            return read_process(reader, definitions);
        case DefinitionKind::World:
            return read_world(reader, definitions);
        case DefinitionKind::Procedure:
            return read_procedure(reader, definitions);
        case DefinitionKind::Image:
            return read_image(reader, definitions);
        case DefinitionKind::Stack:
            return read_stack(reader, definitions);
        case DefinitionKind::Communicator:
            return read_communicator(reader, definitions);
        case DefinitionKind::Datatype:
            return read_datatype(reader, definitions);
        case DefinitionKind::Operator:
            return read_operator(reader, definitions);
        case DefinitionKind::Window:
            return read_window(reader, definitions);
        case DefinitionKind::File:
            return read_file(reader, definitions);
        case DefinitionKind::Name:
        case DefinitionKind::Freed:
            return read_remark(reader, kind, definitions);
        default:
            return read_small(reader, kind, definitions);
    }
}

}  // namespace

Definitions read_definitions(const RecordFile& file, std::vector<std::string>& problems) {
    Definitions definitions;
    const std::uint64_t committed = file.header().committed;
    const std::vector<std::uint8_t> bytes = file.read(sizeof(model::FileHeader), committed);
    if (bytes.size() < committed) {
        problems.push_back(
            fmt::format("{}: offset {}: the file ends, and its header speaks of {} more bytes; it "
                        "was cut, and what the rest defines is unknown",
                        file.path(),
                        sizeof(model::FileHeader) + bytes.size(),
                        committed - bytes.size()));
    }
    ByteReader reader(bytes);
    while (!reader.at_end()) {
        const std::size_t at = reader.offset();
        const std::size_t length = reader.length();
        const std::span<const std::uint8_t> head = reader.bytes(1);
        const std::span<const std::uint8_t> payload = reader.bytes(length);
        ByteReader fields(payload);
        const auto kind = reader.ok() ? static_cast<DefinitionKind>(head[0]) : DefinitionKind{};
        if (reader.ok()) read_definition(fields, kind, definitions);
        if (!reader.ok() || !fields.ok()) {
            problems.push_back(
                fmt::format("{}: offset {}: a damaged definition; what follows in the file is "
                            "unknown",
                            file.path(),
                            sizeof(model::FileHeader) + at));
            break;
        }
    }
    return definitions;
}

}  // namespace mqinspect::trace_io
