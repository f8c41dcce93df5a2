#include "analysis/pairing/packed_messages.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace mqinspect::analysis {

namespace {

using model::Role;

/// Of a parameter by its name; `after`: what the call has made of it.
const model::Value* named(const model::RecordedCall& call,
                          const model::Procedure& procedure,
                          std::string_view name,
                          bool after = false) {
    std::size_t in = 0;
    std::size_t out = 0;
    for (const model::Parameter& parameter : procedure.parameters) {
        const bool goes_in = parameter.direction != model::Direction::Out;
        const bool comes_out = parameter.direction != model::Direction::In;
        if (parameter.name == name) {
            if (after) return comes_out && out < call.after.size() ? &call.after[out] : nullptr;
            return goes_in && in < call.before.size() ? &call.before[in] : nullptr;
        }
        in += goes_in ? 1 : 0;
        out += comes_out ? 1 : 0;
    }
    return nullptr;
}

std::int64_t number(const model::Value* value, std::int64_t otherwise = -1) {
    return value == nullptr ? otherwise : value->number;
}

bool is(std::string_view name, std::string_view wanted) {
    return name == wanted || (name.ends_with("_c") && name.substr(0, name.size() - 2) == wanted);
}

}  // namespace

PackedMessages::PackedMessages(const TypeSignatures& signatures, InterprocessReport& report)
    : signatures_(signatures), report_(report), processes_(report.execution().processes.size()) {
    const model::Execution& execution = report.execution();
    for (const model::RecordedDatatype& type : execution.datatypes)
        if (type.name == "MPI_PACKED") packed_type_ = &type - execution.datatypes.data();
    packs_ = packed_type_ >= 0 && report.wanted(FindingClass::WrongDataType) &&
             std::ranges::any_of(execution.procedures, [](const model::Procedure& procedure) {
                 return is(procedure.name, "MPI_Unpack");
             });
}

void PackedMessages::see(const model::RecordedCall& call) {
    if (!packs_ || !call.leave_event || call.error_code != 0) return;
    const model::Procedure& procedure = report_.execution().procedures[call.procedure.index()];
    const std::string_view name = procedure.name;
    if (is(name, "MPI_Pack")) return pack(call, procedure);
    if (is(name, "MPI_Unpack")) return unpack(call, procedure);
    const model::Value* const buffer = model::value_of(procedure, call.before, Role::Buffer);
    const bool packed =
        number(model::value_of(procedure, call.before, Role::Datatype)) == packed_type_;
    const bool sends = named(call, procedure, "dest") != nullptr;
    const bool plain = named(call, procedure, "sendtag") == nullptr &&
                       named(call, procedure, "info") == nullptr && !name.ends_with("_init");
    if (buffer != nullptr && packed && plain && sends) return send(call, buffer->number);
    if (buffer != nullptr && packed && plain && named(call, procedure, "source") != nullptr)
        return receive(call, buffer->number);
    // Others may put something else there.
    if (sends && named(call, procedure, "source") == nullptr && plain) return;
    Process& process = processes_[call.process.index()];
    for (const char* const other :
         {"buf", "recvbuf", "buffer", "outbuf", "origin_addr", "result_addr"}) {
        const model::Value* const value = named(call, procedure, other);
        if (value == nullptr) continue;
        process.received.erase(value->number);
        process.packing.erase(value->number);
        if (name.ends_with("_init")) process.reused.insert(value->number);
    }
}

void PackedMessages::pack(const model::RecordedCall& call, const model::Procedure& procedure) {
    Process& process = processes_[call.process.index()];
    const std::int64_t buffer = number(named(call, procedure, "outbuf"), 0);
    const std::int64_t position = number(named(call, procedure, "position"));
    process.received.erase(buffer);
    std::shared_ptr<Pieces>& pieces = process.packing[buffer];
    // Those that were sent keep what they had.
    pieces = pieces == nullptr || position == 0 ? std::make_shared<Pieces>()
                                                : std::make_shared<Pieces>(*pieces);
    pieces->erase(pieces->lower_bound(position), pieces->end());
    const std::int64_t type = number(model::value_of(procedure, call.before, Role::Datatype));
    (*pieces)[position] = {event_site_of(call),
                           position,
                           number(named(call, procedure, "incount")),
                           model::DatatypeId{static_cast<int>(type)}};
}

void PackedMessages::unpack(const model::RecordedCall& call, const model::Procedure& procedure) {
    Process& process = processes_[call.process.index()];
    const auto found = process.received.find(number(named(call, procedure, "inbuf"), 0));
    if (found == process.received.end()) return;
    const std::int64_t type = number(model::value_of(procedure, call.before, Role::Datatype));
    const Piece unpacked{event_site_of(call),
                         number(named(call, procedure, "position")),
                         number(named(call, procedure, "outcount")),
                         model::DatatypeId{static_cast<int>(type)}};
    Message& message = *found->second;
    constexpr std::size_t most = 1024;
    if (message.packed != nullptr) {
        compare(*message.packed, unpacked);
    } else if (message.unpacked.size() < most) {
        message.unpacked.push_back(unpacked);
    }
}

void PackedMessages::send(const model::RecordedCall& call, std::int64_t buffer) {
    const Process& process = processes_[call.process.index()];
    const auto found = process.packing.find(buffer);
    if (found != process.packing.end()) sent_[{call.process, call.event}] = found->second;
}

void PackedMessages::receive(const model::RecordedCall& call, std::int64_t buffer) {
    Process& process = processes_[call.process.index()];
    process.packing.erase(buffer);
    process.received.erase(buffer);
    if (process.reused.contains(buffer)) return;
    const auto message = std::make_shared<Message>();
    process.received[buffer] = message;
    expected_[{call.process, call.event}] = message;
}

void PackedMessages::check(const Operation& sent, const Operation& received) {
    if (!packs_) return;
    const auto from = sent_.extract(Key{sent.site.process, sent.site.event});
    const auto to = expected_.extract(Key{received.site.process, received.site.event});
    if (!from || !to || received.ambiguous) return;
    Message& message = *to.mapped();
    message.packed = from.mapped();
    for (const Piece& unpacked : message.unpacked)
        compare(*message.packed, unpacked);
    message.unpacked.clear();
}

void PackedMessages::compare(const Pieces& packed, const Piece& unpacked) {
    const auto found = packed.find(unpacked.position);
    if (found == packed.end()) return;
    const Piece& piece = found->second;
    if (signatures_.fit(piece.type, piece.count, unpacked.type, unpacked.count) != Fit::Different)
        return;
    const std::array both{piece.site.process, unpacked.site.process};
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::WrongDataType, {&piece.site, &unpacked.site});
    if (report_.incomplete(both[0]) || report_.incomplete(both[1]) ||
        report_.count_again(key, both))
        return;
    Finding finding;
    finding.finding_class = FindingClass::WrongDataType;
    finding.severity = Severity::Error;
    finding.processes.assign(both.begin(), both.end());
    finding.calls.push_back(unpacked.site.involved("takes it out"));
    finding.calls.push_back(piece.site.involved("has packed it"));
    finding.message =
        "MPI_Unpack in " + report_.rank_text(unpacked.site.process) +
        " takes something else out of a message, at position " + std::to_string(piece.position) +
        ", than MPI_Pack in " + report_.rank_text(piece.site.process) + " has put there: " +
        signatures_.difference(piece.type, piece.count, unpacked.type, unpacked.count) + ".";
    report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
