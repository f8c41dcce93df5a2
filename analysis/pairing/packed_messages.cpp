#include "analysis/pairing/packed_messages.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {

namespace {

constexpr std::size_t kMostUnpacked = 1024;

bool is(std::string_view name, std::string_view wanted) {
    if (name.ends_with("_c")) name.remove_suffix(2);
    if (name.ends_with("_external")) name.remove_suffix(9);
    return name == wanted;
}

}  // namespace

const model::Value* PackedMessages::Seen::named(std::string_view name) const {
    const int at = model::subscript_of(procedure, name);
    const bool given = at >= 0 && procedure.parameters[static_cast<std::size_t>(at)].direction !=
                                      model::Direction::Out;
    return given ? model::value_of(procedure, call.before, name) : nullptr;
}

std::int64_t PackedMessages::Seen::number(std::string_view name, std::int64_t otherwise) const {
    const model::Value* const value = named(name);
    return value == nullptr ? otherwise : value->number;
}

PackedMessages::PackedMessages(const TypeSignatures& signatures, InterprocessReport& report)
    : signatures_(signatures), report_(report), processes_(report.execution().processes.size()) {
    const model::Execution& execution = report.execution();
    for (const model::RecordedDatatype& type : execution.datatypes) {
        const std::int64_t at = &type - execution.datatypes.data();
        if (type.name == "MPI_PACKED") packed_type_ = at;
        if (type.name == "MPI_BYTE") byte_type_ = at;
    }
    packs_ = report.wanted(FindingClass::WrongDataType) &&
             std::ranges::any_of(execution.procedures, [](const model::Procedure& procedure) {
                 return is(procedure.name, "MPI_Unpack") || is(procedure.name, "MPI_Pack");
             });
}

bool PackedMessages::may_be_packed(std::int64_t type) const {
    return type >= 0 && (type == packed_type_ || type == byte_type_);
}

void PackedMessages::see(const model::RecordedCall& call) {
    if (!packs_ || !call.leave_event || call.error_code != 0) return;
    const Seen seen{call, report_.execution().procedures[call.procedure.index()]};
    if (is(seen.procedure.name, "MPI_Pack")) return pack(seen);
    if (is(seen.procedure.name, "MPI_Unpack")) return unpack(seen);
    if (!see_message(seen) && !see_broadcast(seen)) forget_written(seen);
}

// True: it writes to nothing that is not known afterwards.
bool PackedMessages::see_message(const Seen& seen) {
    if (seen.has("info") || seen.procedure.name.ends_with("_init")) return false;
    if (seen.has("sendtag")) {
        if (!seen.has("sendbuf")) return false;
        if (may_be_packed(seen.number("sendtype"))) send(seen, seen.number("sendbuf"));
        if (!may_be_packed(seen.number("recvtype"))) return false;
        receive(seen, seen.number("recvbuf"));
        return true;
    }
    const bool packed = seen.has("buf") && may_be_packed(seen.number("datatype"));
    if (seen.has("dest")) {
        if (packed) send(seen, seen.number("buf"));
        return true;
    }
    if (!packed || (!seen.has("source") && !seen.has("message"))) return false;
    receive(seen, seen.number("buf"));
    return true;
}

bool PackedMessages::see_broadcast(const Seen& seen) {
    const std::string_view name = seen.procedure.name;
    if (!is(name, "MPI_Bcast") && !is(name, "MPI_Ibcast")) return false;
    const std::int64_t communicator = seen.number("comm");
    Members& members = report_.members();
    if (!members.valid(communicator) || !may_be_packed(seen.number("datatype"))) return false;
    const model::CommunicatorId id{static_cast<int>(communicator)};
    const auto own = members.member_of(id, seen.call.process);
    if (members.inter(id) || !own) return false;
    if (static_cast<std::int64_t>(*own) == seen.number("root")) {
        send(seen, seen.number("buffer"));
    } else {
        receive(seen, seen.number("buffer"));
    }
    return true;
}

// Others may put something else there.
void PackedMessages::forget_written(const Seen& seen) {
    Process& process = processes_[seen.call.process.index()];
    for (const char* const other :
         {"buf", "recvbuf", "buffer", "outbuf", "origin_addr", "result_addr"}) {
        const model::Value* const value = seen.named(other);
        if (value == nullptr) continue;
        process.received.erase(value->number);
        process.packing.erase(value->number);
        if (seen.procedure.name.ends_with("_init")) process.reused.insert(value->number);
    }
}

void PackedMessages::pack(const Seen& seen) {
    Process& process = processes_[seen.call.process.index()];
    const std::int64_t buffer = seen.number("outbuf", 0);
    const std::int64_t position = seen.number("position");
    process.received.erase(buffer);
    std::shared_ptr<Pieces>& pieces = process.packing[buffer];
    // Those that were sent keep what they had.
    pieces = pieces == nullptr || position == 0 ? std::make_shared<Pieces>()
                                                : std::make_shared<Pieces>(*pieces);
    pieces->erase(pieces->lower_bound(position), pieces->end());
    (*pieces)[position] = {event_site_of(seen.call),
                           position,
                           seen.number("incount"),
                           model::DatatypeId{static_cast<int>(seen.number("datatype"))}};
}

void PackedMessages::unpack(const Seen& seen) {
    Process& process = processes_[seen.call.process.index()];
    const std::int64_t buffer = seen.number("inbuf", 0);
    const Piece unpacked{event_site_of(seen.call),
                         seen.number("position"),
                         seen.number("outcount"),
                         model::DatatypeId{static_cast<int>(seen.number("datatype"))}};
    const auto own = process.packing.find(buffer);
    if (own != process.packing.end() && !process.reused.contains(buffer)) {
        Message message;
        message.packed = own->second;
        return compare(message, unpacked);
    }
    const auto found = process.received.find(buffer);
    if (found == process.received.end()) return;
    Message& message = *found->second;
    if (message.arrived) {
        compare(message, unpacked);
    } else if (message.unpacked.size() < kMostUnpacked) {
        message.unpacked.push_back(unpacked);
    }
}

void PackedMessages::send(const Seen& seen, std::int64_t buffer) {
    const Process& process = processes_[seen.call.process.index()];
    const auto found = process.packing.find(buffer);
    if (found != process.packing.end()) sent_[{seen.call.process, seen.call.event}] = found->second;
}

void PackedMessages::receive(const Seen& seen, std::int64_t buffer) {
    Process& process = processes_[seen.call.process.index()];
    process.packing.erase(buffer);
    process.received.erase(buffer);
    if (process.reused.contains(buffer)) return;
    const auto message = std::make_shared<Message>();
    process.received[buffer] = message;
    expected_[{seen.call.process, seen.call.event}] = message;
}

void PackedMessages::arrive(Message& message,
                            const std::shared_ptr<const Pieces>& packed,
                            const Piece& plain) {
    message.arrived = true;
    message.packed = packed;
    message.plain = plain;
    for (const Piece& unpacked : message.unpacked)
        compare(message, unpacked);
    message.unpacked.clear();
}

void PackedMessages::check(const Operation& sent,
                           const Operation& received,
                           const Matcher& matcher) {
    if (!packs_) return;
    // The call that has the buffer, where a matched probe came before it.
    const EventSite* const origin = matcher.origin(received);
    const EventSite& site = origin != nullptr ? *origin : received.site;
    const auto from = sent_.extract(Key{sent.site.process, sent.site.event});
    const auto to = expected_.extract(Key{site.process, site.event});
    const auto& processes = report_.execution().processes;
    // In which order threads have sent or received, the record does not show.
    if (received.ambiguous || !received.has_buffer ||
        processes[sent.site.process.index()].threads_communicate ||
        processes[received.site.process.index()].threads_communicate)
        return;
    const Piece plain{sent.site, 0, sent.count, sent.datatype};
    if (from && !may_be_packed(received.datatype.value)) {
        compare_received(*from.mapped(), {site, 0, received.count, received.datatype});
    } else if (from && to) {
        arrive(*to.mapped(), from.mapped(), plain);
    } else if (to && !may_be_packed(sent.datatype.value) &&
               received.datatype.value == packed_type_) {
        arrive(*to.mapped(), nullptr, plain);
    }
}

void PackedMessages::check(const Wave& wave) {
    if (!packs_ || sent_.empty() || wave.contributions.empty()) return;
    const auto root = static_cast<std::size_t>(wave.contributions.front().root);
    if (wave.contributions.front().root < 0 || root >= wave.contributions.size()) return;
    const EventSite& giver = wave.contributions[root].site;
    const auto from = sent_.extract(Key{giver.process, giver.event});
    if (!from) return;
    for (const Contribution& one : wave.contributions) {
        const auto to = expected_.extract(Key{one.site.process, one.site.event});
        if (to) arrive(*to.mapped(), from.mapped(), {});
    }
}

// Of pieces behind the first one of a message only basic datatypes are compared.
bool PackedMessages::differ(const Piece& one, const Piece& other, bool from_the_same_place) const {
    const auto& types = report_.execution().datatypes;
    const auto basic = [&](const Piece& piece) {
        const auto at = static_cast<std::size_t>(piece.type.value);
        return piece.type.value >= 0 && at < types.size() && is_basic(types[at]);
    };
    if (!from_the_same_place && !(basic(one) && basic(other))) return false;
    return signatures_.fit(one.type, one.count, other.type, other.count) == Fit::Different;
}

void PackedMessages::compare(const Message& message, const Piece& unpacked) {
    const std::string rank = report_.rank_text(unpacked.site.process);
    if (message.packed == nullptr) {
        if (!differ(message.plain, unpacked, unpacked.position == 0)) return;
        return report(message.plain,
                      unpacked,
                      "MPI_Unpack in " + rank + " takes something else out of a message than " +
                          report_.rank_text(message.plain.site.process) + " has sent");
    }
    const auto found = message.packed->find(unpacked.position);
    if (found == message.packed->end() || !differ(found->second, unpacked, true)) return;
    const Piece& piece = found->second;
    report(piece,
           unpacked,
           "MPI_Unpack in " + rank + " takes something else out of a message, at position " +
               std::to_string(piece.position) + ", than MPI_Pack in " +
               report_.rank_text(piece.site.process) + " has put there");
}

void PackedMessages::compare_received(const Pieces& packed, const Piece& received) {
    for (const auto& [position, piece] : packed) {
        if (!differ(piece, received, position == 0)) continue;
        return report(piece,
                      received,
                      std::string(report_.procedure_name(received.site)) + " in " +
                          report_.rank_text(received.site.process) +
                          " receives a packed message as something else than MPI_Pack in " +
                          report_.rank_text(piece.site.process) + " has put there, at position " +
                          std::to_string(position));
    }
}

void PackedMessages::report(const Piece& sent, const Piece& taken, const std::string& message) {
    const std::array both{sent.site.process, taken.site.process};
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::WrongDataType, {&sent.site, &taken.site});
    if (report_.incomplete(both[0]) || report_.incomplete(both[1]) ||
        report_.count_again(key, both))
        return;
    Finding finding;
    finding.finding_class = FindingClass::WrongDataType;
    finding.severity = Severity::Error;
    for (const model::ProcessId process : both)
        insert_process(finding.processes, process);
    finding.calls.push_back(taken.site.involved("takes it out"));
    const bool packs = is(report_.procedure_name(sent.site), "MPI_Pack");
    finding.calls.push_back(sent.site.involved(packs ? "has packed it" : "has sent it"));
    finding.message = message + ": " +
                      signatures_.difference(sent.type, sent.count, taken.type, taken.count) + ".";
    report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
