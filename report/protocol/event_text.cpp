#include "report/protocol/event_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "report/protocol/clock_text.h"
#include "report/protocol/parts.h"
#include "report/recorded_values.h"
#include "report/utf8.h"

namespace mqinspect::report::protocol {
namespace {

using analysis::CallKey;
using analysis::KeptCall;
using analysis::OperationReferences;
using model::ParameterKind;
using model::Role;

constexpr int kSourceLines = 2;
constexpr std::size_t kMostMatched = 8;

/// The analyzer's words. What is not here has the name of the standard.
struct Word {
    Role role;
    const char* word;
};
constexpr std::array kBuffers = {Word{Role::Operator, "op"},
                                 Word{Role::SendBuffer, "sbuf"},
                                 Word{Role::SendCount, "scount"},
                                 Word{Role::SendDatatype, "stype"},
                                 Word{Role::ReceiveBuffer, "rbuf"},
                                 Word{Role::ReceiveCount, "rcount"},
                                 Word{Role::ReceiveDatatype, "rtype"},
                                 Word{Role::Buffer, "buf"},
                                 Word{Role::Count, "count"},
                                 Word{Role::Datatype, "dtype"}};
constexpr std::array kEnvelope = {Word{Role::Source, "source"},
                                  Word{Role::Destination, "dest"},
                                  Word{Role::Root, "root"},
                                  Word{Role::Tag, "tag"},
                                  Word{Role::SendTag, "stag"},
                                  Word{Role::ReceiveTag, "rtag"},
                                  Word{Role::Communicator, "comm"},
                                  Word{Role::SendChecksum, "sum"},
                                  Word{Role::Request, "req"},
                                  Word{Role::Requests, "req"}};

bool is_own_word(Role role) {
    const auto has = [role](const auto& words) {
        return std::ranges::find(words, role, &Word::role) != words.end();
    };
    return has(kBuffers) || has(kEnvelope);
}

// Handles by their numbers, which the tables explain; the rest as everywhere.
std::string word_text(const model::Execution& execution,
                      const model::Parameter& parameter,
                      const std::vector<std::int64_t>& values) {
    const bool number =
        parameter.kind == ParameterKind::Communicator && !values.empty() && values.front() >= 0;
    if (number) return fmt::format("{}", values.front());
    if (parameter.kind == ParameterKind::Request && !values.empty() && values.front() >= 0)
        return fmt::format("{}", values.front());
    return value_text(execution, parameter, values);
}

// Of another process it is said, of another thread too.
std::string event_number(const CallKey& from, const CallKey& key, std::uint64_t event) {
    std::string text = fmt::format("{}", event);
    const auto& [process, thread, ignored] = key;
    if (process != std::get<0>(from)) text += fmt::format(" of process {}", process.value);
    if (thread != std::get<1>(from) || (process != std::get<0>(from) && thread != 0))
        text += fmt::format(" thread {}", thread);
    return text;
}

std::string event_or_undef(const CallKey& from, const std::optional<CallKey>& key) {
    return key ? event_number(from, *key, std::get<2>(*key)) : "undef";
}

void add(std::string& line, const std::string& word) {
    line += (line.empty() ? "" : " ") + word;
}

std::string indented(const std::string& line) {
    return line.empty() ? "" : "      " + printable(line) + "\n";
}

}  // namespace

std::optional<std::int64_t> size_of(const CheckedRun& run, const KeptCall& call) {
    const auto count = value_of(run, call, Role::Count);
    const auto type = value_of(run, call, Role::Datatype);
    const auto& datatypes = run.execution.datatypes;
    if (!count || !type || *count < 0 || *type < 0 ||
        static_cast<std::size_t>(*type) >= datatypes.size()) {
        return std::nullopt;
    }
    std::int64_t bytes = 0;
    const std::int64_t size = datatypes[static_cast<std::size_t>(*type)].size;
    if (__builtin_mul_overflow(*count, size, &bytes)) return std::nullopt;
    return bytes;
}

std::optional<std::int64_t> value_of(const CheckedRun& run, const KeptCall& call, Role role) {
    const model::Procedure& procedure = run.execution.procedures[call.call.procedure.index()];
    const int at = model::subscript_of(procedure, role);
    if (at < 0 || static_cast<std::size_t>(at) >= call.before.size()) return std::nullopt;
    const auto place = static_cast<std::size_t>(at);
    if (model::is_list(procedure.parameters[place].kind) || call.before[place].empty() ||
        procedure.parameters[place].direction == model::Direction::Out)
        return std::nullopt;
    return call.before[place].front();
}

std::string EventText::world_rank(const KeptCall& call, std::int64_t rank) const {
    const auto communicator = value_of(run_, call, Role::Communicator);
    if (!communicator || !members_.valid(*communicator)) return "undef";
    const auto process = members_.process_of(
        model::CommunicatorId(static_cast<int>(*communicator)), call.call.process, rank);
    return process ? fmt::format("{}", process->value) : "undef";
}

std::string EventText::parameters(const KeptCall& call) const {
    const model::Procedure& procedure = run_.execution.procedures[call.call.procedure.index()];
    std::string buffers;
    std::string envelope;
    std::string others;
    const auto has = [&](Role role) {
        const int at = model::subscript_of(procedure, role);
        return at >= 0 && static_cast<std::size_t>(at) < call.before.size() &&
               procedure.parameters[static_cast<std::size_t>(at)].direction !=
                   model::Direction::Out;
    };
    const auto text = [&](Role role) {
        const auto at = static_cast<std::size_t>(model::subscript_of(procedure, role));
        return word_text(run_.execution, procedure.parameters[at], call.before[at]);
    };
    for (const Word& word : kBuffers)
        if (has(word.role)) add(buffers, fmt::format("{}={}", word.word, text(word.role)));
    const auto type = value_of(run_, call, Role::Datatype);
    if (type && *type >= 0 && static_cast<std::size_t>(*type) < run_.execution.datatypes.size()) {
        if (const auto bytes = size_of(run_, call)) add(buffers, fmt::format("size={}", *bytes));
        add(envelope, fmt::format("dtcode={}", *type));
    }
    for (const Word& word : kEnvelope) {
        if (!has(word.role)) continue;
        const auto value = value_of(run_, call, word.role);
        const bool not_taken = word.role == Role::SendChecksum && value == 0;
        if (not_taken) continue;
        add(envelope, fmt::format("{}={}", word.word, text(word.role)));
        const bool rank =
            word.role == Role::Source || word.role == Role::Destination || word.role == Role::Root;
        if (rank && value && *value >= 0)
            add(envelope, fmt::format("w{}={}", word.word, world_rank(call, *value)));
    }
    for (std::size_t at = 0; at < procedure.parameters.size() && at < call.before.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.direction == model::Direction::Out || is_own_word(parameter.role) ||
            model::is_number_of_library(parameter.kind))
            continue;
        add(others, parameter.name + "=" + value_text(run_.execution, parameter, call.before[at]));
    }
    return indented(buffers) + indented(envelope) + indented(others);
}

std::string EventText::results(const KeptCall& call) const {
    const model::Procedure& procedure = run_.execution.procedures[call.call.procedure.index()];
    std::string text;
    for (std::size_t at = 0; at < procedure.parameters.size() && at < call.after.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.direction == model::Direction::In ||
            model::is_number_of_library(parameter.kind))
            continue;
        const bool checksum = model::is_checksum(parameter.kind);
        if (checksum && std::ranges::all_of(call.after[at], [](auto each) { return each == 0; }))
            continue;
        add(text,
            (checksum ? "sum" : parameter.name) + "=" +
                word_text(run_.execution, parameter, call.after[at]));
    }
    if (call.call.error_code != 0) add(text, fmt::format("error={}", call.call.error_code));
    return indented(text);
}

std::string EventText::references(const KeptCall& kept) const {
    const CallKey key{kept.call.process, kept.call.thread, kept.call.event};
    std::string text;
    if (run_.references == nullptr) return text;
    const auto found = run_.references->operations.find(key);
    if (found == run_.references->operations.end()) return text;
    for (const OperationReferences& operation : found->second) {
        std::string line;
        if (const auto& collective = operation.collective) {
            line = fmt::format("OpNum={} GlobalColl={} ",
                               collective->number,
                               collective->whole
                                   ? fmt::format("{}.{}", collective->sequence, collective->number)
                                   : "undef");
        }
        const std::string finish =
            operation.finish && operation.finish_event
                ? event_number(key, *operation.finish, *operation.finish_event)
                : "undef";
        line += fmt::format("InitEvent={} StartEvent={} FinishEvent={}",
                            event_or_undef(key, operation.init),
                            event_or_undef(key, operation.start),
                            finish);
        if (!operation.collective) {
            line += " MatchedStartEvent=";
            if (operation.matched.empty()) line += "undef";
            for (std::size_t at = 0; at < std::min(operation.matched.size(), kMostMatched); ++at) {
                const CallKey& other = operation.matched[at];
                line += (at == 0 ? "" : ", ") + event_number(key, other, std::get<2>(other));
            }
        }
        text += indented(line);
    }
    return text;
}

std::string EventText::source(model::StackId stack) {
    std::string text;
    for (const std::string& line : sources_.fragment(run_.location(stack), kSourceLines))
        text += "      " + printable(line) + "\n";
    return text;
}

std::string EventText::call(const KeptCall& kept, char mark) {
    const model::RecordedCall& call = kept.call;
    const std::string& name = run_.execution.procedures[call.procedure.index()].name;
    std::string text = fmt::format("    {}{} call {}. src = {} time={}\n",
                                   call.event,
                                   mark,
                                   name,
                                   place_text(run_, call.stack),
                                   clock_text(call.enter_ns));
    text += source(call.stack) + parameters(kept) + references(kept);
    if (!call.leave_event) return text;
    text += fmt::format("    {}{} ret {}. time={}\n",
                        *call.leave_event,
                        mark == ' ' ? ' ' : 'i',
                        name,
                        clock_text(call.leave_ns));
    return text + results(kept);
}

std::string EventText::communicator(model::CommunicatorId id) const {
    if (id.value < 0 || id.index() >= run_.execution.communicators.size()) return {};
    const model::RecordedCommunicator& communicator = run_.execution.communicators[id.index()];
    std::vector<std::string> members = triplets(communicator.members);
    for (std::string& remote : triplets(communicator.remote_members))
        members.push_back(std::move(remote));
    std::string text = fmt::format("    comm = {} {}  proc number = {}  tripl number = {}\n",
                                   id.value,
                                   printable(communicator_text(run_.execution, id)),
                                   communicator.members.size() + communicator.remote_members.size(),
                                   members.size());
    for (const std::string& triplet : members)
        text += "      " + triplet + "\n";
    return text;
}

}  // namespace mqinspect::report::protocol
