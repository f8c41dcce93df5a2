#include "tests/support/execution_parts.h"

#include <sstream>
#include <stdexcept>

#include "tests/support/execution_datatypes.h"
#include "tests/support/execution_procedures.h"

namespace mqinspect::test {

namespace {

constexpr std::int64_t kLockExclusive = 234;  // of MPICH
constexpr std::int64_t kLockShared = 235;

}  // namespace

using model::Execution;
using model::ParameterKind;
using model::ProcessId;

ExecutionParts::ExecutionParts(Execution& execution, int processes) : execution_(execution) {
    execution_.constants = {{"MPI_LOCK_EXCLUSIVE", kLockExclusive},
                            {"MPI_LOCK_SHARED", kLockShared}};
    execution_.datatypes = predefined_datatypes();
    for (const model::RecordedDatatype& type : execution_.datatypes)
        datatypes_[type.name] = type.id.value;
    for (const char* name : {"MPI_SUM",
                             "MPI_MAX",
                             "MPI_MIN",
                             "MPI_PROD",
                             "MPI_LAND",
                             "MPI_LOR",
                             "MPI_BAND",
                             "MPI_BOR",
                             "MPI_MAXLOC",
                             "MPI_MINLOC",
                             "MPI_REPLACE",
                             "MPI_NO_OP"}) {
        add_operator(name, {});
        execution_.operators.back().name = name;
    }
    add_world(processes);
}

void ExecutionParts::add_world(int size) {
    const auto first = static_cast<int>(execution_.processes.size());
    const int world = execution_.processes.empty() ? 0 : execution_.processes.back().world + 1;
    model::RecordedCommunicator all;
    all.id = model::CommunicatorId{static_cast<int>(execution_.communicators.size())};
    all.name = all.constructor = "MPI_COMM_WORLD";
    communicators_["MPI_COMM_WORLD/" + std::to_string(world)] = all.id.value;
    for (int rank = 0; rank < size; ++rank) {
        model::RecordedProcess process;
        process.id = ProcessId{first + rank};
        process.rank = model::WorldRank{rank};
        process.world = world;
        process.world_size = size;
        process.host = "host";
        process.pid = 1000 + first + rank;
        all.members.push_back(process.id);
        execution_.processes.push_back(std::move(process));
    }
    execution_.communicators.push_back(all);
    for (const ProcessId process : all.members) {
        model::RecordedCommunicator self;
        self.id = model::CommunicatorId{static_cast<int>(execution_.communicators.size())};
        self.name = self.constructor = "MPI_COMM_SELF";
        self.members = {process};
        communicators_["MPI_COMM_SELF/" + std::to_string(process.value)] = self.id.value;
        execution_.communicators.push_back(std::move(self));
    }
}

void ExecutionParts::add_thing(const std::string& kind, const std::string& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string name = text.substr(0, end);
    const std::string rest = trimmed(text.substr(end));
    if (kind == "communicator") return add_communicator(name, fields_of(rest, ' '));
    if (kind == "datatype") return add_datatype(text);
    if (kind == "operator") return add_operator(name, fields_of(rest, ' '));
    if (kind == "window") return add_window(name, fields_of(rest, ' '));
    if (kind == "world") return add_world(std::stoi(name));
    if (kind != "file") throw std::invalid_argument("unknown statement: " + kind + " " + text);
    files_[name] = static_cast<std::int64_t>(execution_.files.size());
    const std::size_t begin = rest.find('"');
    const std::string path = rest.substr(begin + 1, rest.rfind('"') - begin - 1);
    execution_.files.push_back({model::CommunicatorId(0), path, "host:" + path});
}

namespace {

std::vector<ProcessId> process_list(const std::string& text) {
    std::vector<ProcessId> processes;
    for (const std::string& item : list_of(text))
        processes.push_back(ProcessId{std::stoi(item)});
    return processes;
}

std::vector<std::vector<std::int64_t>> number_lists(const std::string& text) {
    std::vector<std::vector<std::int64_t>> lists;
    for (const std::string& item : list_of(text)) {
        lists.emplace_back();
        for (const std::string& part : list_of(item))
            lists.back().push_back(std::stoll(part, nullptr, 0));
    }
    return lists;
}

}  // namespace

void ExecutionParts::add_communicator(std::string name, const Fields& fields) {
    model::RecordedCommunicator communicator;
    communicator.id = model::CommunicatorId{static_cast<int>(execution_.communicators.size())};
    communicators_[name] = communicator.id.value;
    communicator.name = std::move(name);
    communicator.constructor = "MPI_Comm_split";
    for (const auto& [field, text] : fields) {
        if (field == "parent") {
            const auto id = number(ParameterKind::Communicator, text, ProcessId{0});
            communicator.parent = model::CommunicatorId{static_cast<int>(id)};
        } else if (field == "constructor") {
            communicator.constructor = text;
        } else if (field == "members") {
            communicator.members = process_list(text);
        } else if (field == "remote") {
            communicator.remote_members = process_list(text);
            communicator.inter = true;
        } else if (field == "topology") {
            communicator.topology = text;
        } else if (field == "sources") {
            communicator.sources = number_lists(text);
        } else if (field == "destinations") {
            communicator.destinations = number_lists(text);
        } else if (field == "freed_by") {
            communicator.freed_by = process_list(text);
        } else {
            throw std::invalid_argument("unknown field of a communicator: " + field);
        }
    }
    execution_.communicators.push_back(std::move(communicator));
}

void ExecutionParts::add_datatype(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t open = text.find('(');
    model::RecordedDatatype type;
    type.id = model::DatatypeId{static_cast<int>(execution_.datatypes.size())};
    type.combiner = trimmed(text.substr(equals + 1, open - equals - 1));
    std::istringstream parts(text.substr(open + 1, text.rfind(')') - open - 1));
    std::string part;
    for (int list = 0; std::getline(parts, part, ';'); ++list) {
        for (const std::string& item : split(part, ',')) {
            if (list == 0) type.integers.push_back(std::stoll(item));
            if (list == 1) type.addresses.push_back(std::stoll(item));
            if (list == 2) {
                const auto old = number(ParameterKind::Datatype, item, ProcessId{0});
                type.types.push_back(model::DatatypeId{static_cast<int>(old)});
            }
        }
    }
    datatypes_[trimmed(text.substr(0, equals))] = type.id.value;
    execution_.datatypes.push_back(std::move(type));
    measure_last(execution_.datatypes);
}

void ExecutionParts::add_operator(const std::string& name, const Fields& fields) {
    model::RecordedOperator added;
    for (const auto& [field, text] : fields) {
        if (field == "function") added.function = text;
        if (field == "commutes") added.commutes = text != "0";
    }
    operators_[name] = static_cast<std::int64_t>(execution_.operators.size());
    execution_.operators.push_back(std::move(added));
}

void ExecutionParts::add_window(const std::string& name, const Fields& fields) {
    model::RecordedWindow window;
    window.kind = "MPI_Win_create";
    window.communicator = model::CommunicatorId{0};
    std::vector<std::vector<std::int64_t>> parts;
    for (const auto& [field, text] : fields) {
        if (field == "kind") window.kind = text;
        if (field == "parts") parts = number_lists(text);
        if (field == "comm") {
            const auto id = number(ParameterKind::Communicator, text, ProcessId{0});
            window.communicator = model::CommunicatorId{static_cast<int>(id)};
        }
    }
    const auto& members = execution_.communicators[window.communicator.index()].members;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        window.parts.push_back({members.at(rank),
                                static_cast<std::uint64_t>(parts[rank].at(0)),
                                parts[rank].at(1),
                                parts[rank].at(2)});
    }
    windows_[name] = static_cast<std::int64_t>(execution_.windows.size());
    execution_.windows.push_back(std::move(window));
}

model::ProcedureId ExecutionParts::procedure_id(const std::string& name) {
    const auto found = procedures_.find(name);
    if (found != procedures_.end()) return found->second;
    std::optional<model::Procedure> procedure = find_procedure(name);
    if (!procedure) throw std::invalid_argument("no procedure " + name + " for tests");
    const model::ProcedureId id{static_cast<int>(execution_.procedures.size())};
    execution_.procedures.push_back(*std::move(procedure));
    procedures_[name] = id;
    return id;
}

model::StackId ExecutionParts::stack_id(const std::string& place) {
    const auto [entry, added] =
        stacks_.emplace(place, model::StackId{static_cast<int>(execution_.stacks.size())});
    if (!added) return entry->second;
    std::vector<model::CodePlace> stack;
    if (const std::size_t colon = place.find(':'); colon != place.npos) {
        int image = 0;
        while (static_cast<std::size_t>(image) < execution_.images.size() &&
               execution_.images[static_cast<std::size_t>(image)].path != place.substr(0, colon))
            ++image;
        if (static_cast<std::size_t>(image) == execution_.images.size())
            execution_.images.push_back({place.substr(0, colon), ""});
        stack.push_back({image, std::stoull(place.substr(colon + 1))});
    }
    execution_.stacks.push_back(std::move(stack));
    return entry->second;
}

std::int64_t ExecutionParts::text_id(const std::string& text) {
    for (std::size_t index = 0; index < execution_.texts.size(); ++index)
        if (execution_.texts[index] == text) return static_cast<std::int64_t>(index);
    execution_.texts.push_back(text);
    return static_cast<std::int64_t>(execution_.texts.size()) - 1;
}

std::int64_t ExecutionParts::communicator(const std::string& text, ProcessId process) const {
    std::string name = text;
    if (name == "MPI_COMM_SELF") name += "/" + std::to_string(process.value);
    if (name == "MPI_COMM_WORLD") {
        name += "/" + std::to_string(execution_.processes[process.index()].world);
    }
    const auto found = communicators_.find(name);
    if (found == communicators_.end()) throw std::invalid_argument("no communicator " + text);
    return found->second;
}

std::int64_t ExecutionParts::number(ParameterKind kind,
                                    const std::string& text,
                                    ProcessId process) {
    static const Names constants{
        {"MPI_ANY_SOURCE", model::kAnySource},
        {"MPI_PROC_NULL", model::kProcNull},
        {"MPI_ROOT", model::kRoot},
        {"MPI_ANY_TAG", model::kAnyTag},
        {"MPI_UNDEFINED", model::kUndefined},
        {"MPI_IN_PLACE", model::kInPlace},
        {"MPI_BOTTOM", model::kBottom},
        {"MPI_LOCK_EXCLUSIVE", kLockExclusive},
        {"MPI_LOCK_SHARED", kLockShared},
    };
    if (const auto found = constants.find(text); found != constants.end()) return found->second;
    if (text.starts_with("MPI_") && text.ends_with("_NULL")) return model::kNullHandle;
    if (kind == ParameterKind::Text) return text_id(text);
    if (std::isdigit(static_cast<unsigned char>(text.at(0))) != 0 || text[0] == '-') {
        return std::stoll(text, nullptr, 0);
    }
    const auto in = [&](const Names& names) {
        const auto found = names.find(text);
        if (found == names.end()) throw std::invalid_argument("unknown name " + text);
        return found->second;
    };
    switch (kind) {
        case ParameterKind::Communicator:
            return communicator(text, process);
        case ParameterKind::Datatype:
        case ParameterKind::DatatypeList:
            return in(datatypes_);
        case ParameterKind::Operator:
            return in(operators_);
        case ParameterKind::Window:
            return in(windows_);
        case ParameterKind::File:
            return in(files_);
        default:
            throw std::invalid_argument("not a number: " + text);
    }
}

}  // namespace mqinspect::test
