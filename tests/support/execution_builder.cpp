#include "tests/support/execution_builder.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tests/support/execution_parts.h"
#include "tests/support/execution_text.h"

namespace mqinspect::test {

namespace {

/// From one call to the next: more than clocks may differ by.
constexpr std::int64_t kStep_ns = 20'000;

using model::Direction;
using model::Execution;
using model::ParameterKind;
using model::ProcessId;
using model::Role;

struct StoredValue {
    std::int64_t number = 0;
    std::vector<std::int64_t> list;
};

struct StoredCall {
    model::RecordedCall call;
    std::vector<StoredValue> before;
    std::vector<StoredValue> after;
};

std::vector<model::Value> views(const std::vector<StoredValue>& values) {
    std::vector<model::Value> result;
    for (const StoredValue& value : values)
        result.push_back({value.number, value.list});
    return result;
}

class MemoryStream : public model::CallStream {
public:
    explicit MemoryStream(const std::vector<StoredCall>& calls) : calls_(calls) {}

    bool next(model::RecordedCall& call) override {
        if (next_ == calls_.size()) return false;
        const StoredCall& stored = calls_[next_++];
        // In memory of their own, so that a sanitizer sees who keeps a span for too long.
        before_ = std::make_unique<std::vector<model::Value>>(views(stored.before));
        after_ = std::make_unique<std::vector<model::Value>>(views(stored.after));
        call = stored.call;
        call.before = *before_;
        call.after = *after_;
        return true;
    }

private:
    const std::vector<StoredCall>& calls_;
    std::size_t next_ = 0;
    std::unique_ptr<std::vector<model::Value>> before_;
    std::unique_ptr<std::vector<model::Value>> after_;
};

class MemoryRecording : public model::Recording {
public:
    const Execution& execution() const override { return execution_; }
    std::unique_ptr<model::CallStream> calls(ProcessId process) const override {
        return std::make_unique<MemoryStream>(calls_.at(process.index()));
    }

    Execution execution_;
    std::vector<std::vector<StoredCall>> calls_;
};

/// What a request stands for, while tests may refer to it.
struct KnownRequest {
    std::int64_t id = 0;
    bool persistent = false;
    std::vector<std::int64_t> status;  ///< that its completion will give; empty: not known
};

class Builder {
public:
    explicit Builder(int processes) : parts_(recording_->execution_, processes) {}

    void add(const std::string& line);
    std::unique_ptr<model::Recording> finish();

private:
    void add_use(ProcessId process, bool stores, const std::string& words);
    void add_end(ProcessId process, const std::string& text);
    void add_event(ProcessId process, model::EventKind kind, const std::string& words);
    void add_call(ProcessId process, int thread, const std::string& text);

    StoredValue value(const model::Parameter& parameter,
                      const std::string& text,
                      ProcessId process);
    StoredValue default_value(const model::Parameter& parameter, ProcessId process);
    void fill(StoredCall& stored, const Fields& fields);
    void finish_requests(StoredCall& stored, const Fields& fields);
    void finish_request(StoredCall& stored, std::size_t position, std::size_t in_statuses);
    void make_request(StoredCall& stored, const std::string& name);
    std::int64_t given(const StoredCall& stored, std::initializer_list<const char*> names) const;
    StoredValue* find(StoredCall& stored, bool after, std::string_view name) const;
    std::vector<std::int64_t> own_status(const StoredCall& stored) const;
    const model::Procedure& procedure(const StoredCall& stored) const {
        return execution_.procedures[stored.call.procedure.index()];
    }

    std::unique_ptr<MemoryRecording> recording_ = std::make_unique<MemoryRecording>();
    Execution& execution_ = recording_->execution_;
    ExecutionParts parts_;
    std::map<std::pair<int, std::string>, std::int64_t> request_names_;  ///< by process
    std::map<std::int64_t, KnownRequest> requests_;                      ///< by id
    std::map<std::pair<int, int>, std::uint64_t> events_;                ///< by process and thread
    std::set<std::pair<int, int>> blocked_;  ///< threads in a call that does not return
    std::set<int> ended_;
    std::int64_t now_ns_ = 0;
};

void Builder::add(const std::string& line) {
    const std::string text = trimmed(line.substr(0, line.find('#')));
    if (text.empty()) return;
    const std::size_t colon = text.find(':');
    const bool of_process =
        std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '*';
    if (!of_process || colon == text.npos) {
        const std::size_t end = std::min(text.find(' '), text.size());
        parts_.add_thing(text.substr(0, end), trimmed(text.substr(end)));
        return;
    }
    const std::string rest = trimmed(text.substr(colon + 1));
    const auto count = static_cast<int>(execution_.processes.size());
    for (const ProcessAndThread& who : processes_of(text.substr(0, colon), count)) {
        if (rest.starts_with("MPI")) {
            add_call(ProcessId{who.process}, who.thread, rest);
        } else {
            add_end(ProcessId{who.process}, rest);
        }
    }
}

void Builder::add_event(ProcessId process, model::EventKind kind, const std::string& words) {
    model::RecordedEvent event;
    event.process = process;
    event.kind = kind;
    // The last record before it; none has the number 0, too.
    event.event = std::max<std::uint64_t>(events_[{process.value, 0}], 1) - 1;
    event.time_ns = now_ns_ += kStep_ns;
    std::istringstream in(words);
    for (std::int64_t number = 0; in >> number;)
        event.numbers.push_back(number);
    in.clear();
    std::getline(in >> std::ws, event.text);
    const std::string error_class = event.text.substr(0, event.text.find(' '));
    if (kind == model::EventKind::MpiError && !error_class.ends_with(':') &&
        error_class.starts_with("MPI_ERR_"))
        execution_.error_codes.push_back({process, event.numbers.at(0), error_class, ""});
    execution_.events.push_back(std::move(event));
}

/// `words`: address, bytes, place.
void Builder::add_use(ProcessId process, bool stores, const std::string& words) {
    std::istringstream in(words);
    std::string address;
    std::int64_t bytes = 0;
    std::string place;
    in >> address >> bytes >> place;
    add_event(process, model::EventKind::LocalAccess, "");
    model::RecordedEvent& event = execution_.events.back();
    event.numbers = {std::stoll(address, nullptr, 0), bytes, stores ? 1 : 0};
    if (!place.empty()) event.stack = parts_.stack_id(place.substr(1));
}

void Builder::add_end(ProcessId process, const std::string& text) {
    using Kind = model::Termination::Kind;
    std::istringstream words(text);
    std::string word;
    words >> word;
    std::string rest;
    std::getline(words >> std::ws, rest);
    model::RecordedProcess& ended = execution_.processes[process.index()];
    if (word == "incomplete") {
        ended.incomplete = true;
        return;
    }
    if (word == "threads") {
        ended.threads_communicate = rest == "communicate";
        if (!ended.threads_communicate) ended.thread_provided = rest;
        return;
    }
    if (word == "run") {
        execution_.end_ns = std::stoll(rest);
        return;
    }
    if (word == "error") return add_event(process, model::EventKind::MpiError, rest);
    if (word == "stores" || word == "loads") return add_use(process, word == "stores", rest);
    ended_.insert(process.value);
    ended.termination.code = rest.empty() ? 0 : std::stoll(rest);
    if (word == "signal") {
        ended.termination.kind = Kind::Crashed;
        add_event(process, model::EventKind::Signal, rest);
    } else if (word == "abort") {
        ended.termination.kind = Kind::Aborted;
        add_event(process, model::EventKind::Abort, rest);
    } else if (word == "exit") {
        ended.termination.kind = Kind::Exited;
        add_event(process, model::EventKind::Exit, rest);
    } else {
        throw std::invalid_argument("unknown end of a process: " + text);
    }
}

StoredValue* Builder::find(StoredCall& stored, bool after, std::string_view name) const {
    const auto& parameters = procedure(stored).parameters;
    for (std::size_t index = 0; index < parameters.size(); ++index)
        if (parameters[index].name == name) return &(after ? stored.after : stored.before)[index];
    return nullptr;
}

std::int64_t Builder::given(const StoredCall& stored,
                            std::initializer_list<const char*> names) const {
    const auto& parameters = procedure(stored).parameters;
    for (const char* name : names)
        for (std::size_t index = 0; index < parameters.size(); ++index)
            if (parameters[index].name == name) return stored.before[index].number;
    return 0;
}

StoredValue Builder::value(const model::Parameter& parameter,
                           const std::string& text,
                           ProcessId process) {
    const ParameterKind kind = parameter.kind;
    StoredValue value;
    if (kind == ParameterKind::Request || kind == ParameterKind::Message ||
        kind == ParameterKind::RequestList) {
        for (const std::string& name : list_of(text)) {
            const auto known = request_names_.find({process.value, name});
            value.list.push_back(
                known != request_names_.end() ? known->second : parts_.number(kind, name, process));
        }
    } else if (kind == ParameterKind::StatusList) {
        for (const std::string& status : list_of(text))
            for (const std::int64_t part :
                 this->value({"", ParameterKind::Status}, status, process).list)
                value.list.push_back(part);
        return value;
    } else {
        for (const std::string& item : list_of(text))
            value.list.push_back(parts_.number(kind, item, process));
    }
    if (kind == ParameterKind::Status) {  // [source, tag, bytes] to the form of the record
        const std::int64_t cancelled = value.list.size() > 3 ? value.list[3] : 0;
        value.list.resize(3, -1);
        value.list = {value.list[0], value.list[1], 0, value.list[2], cancelled};
    } else if (!is_list(kind) && !text.starts_with('[') && value.list.size() == 1) {
        value.number = value.list[0];
        value.list.clear();
    }
    return value;
}

StoredValue Builder::default_value(const model::Parameter& parameter, ProcessId process) {
    const std::string& name = parameter.name;
    const auto of = [&](const char* text) { return value(parameter, text, process); };
    if (name == "recvbuf") return of("0x100000");
    switch (parameter.kind) {
        case ParameterKind::Buffer:
            return of("0x1000");
        case ParameterKind::Count:
            return of("1");
        case ParameterKind::Datatype:
            return parameter.direction == Direction::Out ? StoredValue{} : of("MPI_INT");
        case ParameterKind::Communicator:
            return parameter.direction == Direction::In ? of("MPI_COMM_WORLD") : StoredValue{};
        case ParameterKind::Operator:
            return of("MPI_SUM");
        case ParameterKind::Flag:
            return of("1");
        case ParameterKind::Window:
        case ParameterKind::File:
        case ParameterKind::Request:
        case ParameterKind::Message:
            return StoredValue{model::kNullHandle, {}};
        default:
            return {};
    }
}

void Builder::fill(StoredCall& stored, const Fields& fields) {
    const ProcessId process = stored.call.process;
    const auto& parameters = procedure(stored).parameters;
    for (const auto& [name, text] : fields) {
        const bool known = std::any_of(parameters.begin(), parameters.end(), [&](const auto& one) {
            return one.name == name;
        });
        if (!known) throw std::invalid_argument(procedure(stored).name + " has no " + name);
    }
    for (const model::Parameter& parameter : parameters) {
        StoredValue in;
        const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& one) {
            return one.first == parameter.name;
        });
        const bool makes_request =
            parameter.direction == Direction::Out &&
            (parameter.kind == ParameterKind::Request || parameter.kind == ParameterKind::Message);
        if (field != fields.end() && makes_request) {
            make_request(stored, field->second);
            in.number = request_names_.at({process.value, field->second});
        } else {
            in = field != fields.end() ? value(parameter, field->second, process)
                                       : default_value(parameter, process);
        }
        const bool returned = stored.call.leave_event.has_value();
        stored.before.push_back(parameter.direction == Direction::Out ? StoredValue{} : in);
        stored.after.push_back(returned && parameter.direction != Direction::In ? in
                                                                                : StoredValue{});
    }
}

std::vector<std::int64_t> Builder::own_status(const StoredCall& stored) const {
    const std::int64_t source = given(stored, {"source"});
    const std::int64_t tag = given(stored, {"recvtag", "tag"});
    if (source == model::kProcNull) return {model::kProcNull, model::kAnyTag, 0, 0, 0};
    if (source == model::kAnySource || tag == model::kAnyTag) return {};
    const auto type = static_cast<std::size_t>(given(stored, {"recvtype", "datatype"}));
    const std::int64_t count = given(stored, {"recvcount", "count"});
    return {source, tag, 0, count * execution_.datatypes.at(type).size, 0};
}

void Builder::make_request(StoredCall& stored, const std::string& name) {
    const auto id = static_cast<std::int64_t>(requests_.size()) + 1;
    const std::string& made_by = procedure(stored).name;
    KnownRequest request;
    request.persistent = made_by.ends_with("_init");
    // Parameters that are not yet filled in count as 0; requests and messages come last.
    stored.before.resize(procedure(stored).parameters.size());
    if (find(stored, false, "source") != nullptr) request.status = own_status(stored);
    stored.before.resize(stored.after.size());
    requests_[id] = request;
    request_names_[{stored.call.process.value, name}] = id;
}

/// The request at this place has completed; `in_statuses`: its place among the statuses.
void Builder::finish_request(StoredCall& stored, std::size_t position, std::size_t in_statuses) {
    StoredValue* one = find(stored, true, "request");
    StoredValue* all = find(stored, true, "array_of_requests");
    std::int64_t& id = one != nullptr ? one->number : all->list.at(position);
    const auto known = requests_.find(id);
    if (known == requests_.end()) return;
    StoredValue* status = find(stored, true, all != nullptr ? "array_of_statuses" : "status");
    if (status == nullptr) status = find(stored, true, "status");
    const std::size_t begin = in_statuses * model::kStatusValues;
    if (status != nullptr && status->list.size() <= begin && !known->second.status.empty()) {
        status->list.resize(begin, model::kAnySource);
        status->list.insert(
            status->list.end(), known->second.status.begin(), known->second.status.end());
    }
    if (!known->second.persistent) id = model::kNullHandle;
}

void Builder::finish_requests(StoredCall& stored, const Fields& fields) {
    const std::string& name = procedure(stored).name;
    const bool has_status = std::any_of(
        fields.begin(), fields.end(), [](const auto& field) { return field.first == "status"; });
    if (StoredValue* status = find(stored, true, "status");
        status != nullptr && !has_status && find(stored, false, "source") != nullptr) {
        status->list = own_status(stored);
    }
    if (name == "MPI_Mrecv" || name == "MPI_Imrecv") {
        find(stored, true, "message")->number = model::kNullHandle;
    } else if (name == "MPI_Request_free") {
        find(stored, true, "request")->number = model::kNullHandle;
    }
    const StoredValue* flag = find(stored, true, "flag");
    if (flag != nullptr && flag->number == 0) return;
    const StoredValue* all = find(stored, true, "array_of_requests");
    if (name == "MPI_Wait" || name == "MPI_Test") {
        finish_request(stored, 0, 0);
    } else if (name == "MPI_Waitall" || name == "MPI_Testall") {
        for (std::size_t index = 0; index < all->list.size(); ++index)
            finish_request(stored, index, index);
    } else if (name == "MPI_Waitany" || name == "MPI_Testany") {
        const std::int64_t index = find(stored, true, "index")->number;
        if (index >= 0) finish_request(stored, static_cast<std::size_t>(index), 0);
    } else if (name == "MPI_Waitsome" || name == "MPI_Testsome") {
        const StoredValue* indices = find(stored, true, "array_of_indices");
        find(stored, true, "outcount")->number = static_cast<std::int64_t>(indices->list.size());
        for (std::size_t at = 0; at < indices->list.size(); ++at)
            finish_request(stored, static_cast<std::size_t>(indices->list[at]), at);
    }
}

/// "MPI_Send(dest=1) = - @a.c:10" in its parts.
struct CallText {
    std::string name;
    std::string parameters;
    std::string result;
    std::string place;
};

CallText parse_call(const std::string& text) {
    CallText call;
    const std::size_t open = text.find('(');
    const std::size_t close = text.rfind(')');
    if (open == text.npos || close == text.npos) throw std::invalid_argument("no call: " + text);
    call.name = text.substr(0, open);
    call.parameters = text.substr(open + 1, close - open - 1);
    std::istringstream rest(text.substr(close + 1));
    for (std::string word; rest >> word;) {
        if (word == "=") {
            rest >> call.result;
        } else if (word.starts_with('@')) {
            call.place = word.substr(1);
        } else {
            throw std::invalid_argument("what is " + word + " in " + text);
        }
    }
    return call;
}

void Builder::add_call(ProcessId process, int thread, const std::string& text) {
    const CallText parsed = parse_call(text);
    const std::pair key{process.value, thread};
    if (blocked_.count(key) != 0) {
        throw std::invalid_argument("a call after one that has not returned: " + text);
    }
    StoredCall stored;
    stored.call.process = process;
    stored.call.thread = thread;
    stored.call.procedure = parts_.procedure_id(parsed.name);
    stored.call.stack = parts_.stack_id(parsed.place);
    stored.call.event = events_[key]++;
    stored.call.enter_ns = now_ns_ += kStep_ns;
    if (parsed.result == "-") {
        blocked_.insert(key);
    } else {
        stored.call.leave_event = events_[key]++;
        stored.call.leave_ns = stored.call.enter_ns + kStep_ns / 2;
        if (!parsed.result.empty()) stored.call.error_code = std::stoll(parsed.result);
    }
    const Fields fields = fields_of(parsed.parameters, ',');
    fill(stored, fields);
    if (stored.call.leave_event) {
        finish_requests(stored, fields);
        if (parsed.name == "MPI_Finalize" && ended_.count(process.value) == 0) {
            execution_.processes[process.index()].termination.kind =
                model::Termination::Kind::Finalized;
        }
    }
    if (recording_->calls_.size() < execution_.processes.size()) {
        recording_->calls_.resize(execution_.processes.size());
    }
    recording_->calls_[process.index()].push_back(std::move(stored));
}

std::unique_ptr<model::Recording> Builder::finish() {
    recording_->calls_.resize(execution_.processes.size());
    return std::move(recording_);
}

}  // namespace

std::unique_ptr<model::Recording> recording_of(int processes, std::string_view statements) {
    Builder builder(processes);
    std::istringstream lines{std::string(statements)};
    for (std::string line; std::getline(lines, line);)
        builder.add(line);
    return builder.finish();
}

std::string place_of(const Execution& execution, model::StackId stack) {
    if (stack.value < 0 || execution.stacks.at(stack.index()).empty()) return "?";
    const model::CodePlace& place = execution.stacks[stack.index()].front();
    return execution.images.at(static_cast<std::size_t>(place.image)).path + ":" +
           std::to_string(place.offset);
}

}  // namespace mqinspect::test
