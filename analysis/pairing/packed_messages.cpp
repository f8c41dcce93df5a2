#include "analysis/pairing/packed_messages.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/datatypes/checked.h"
#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {

namespace {

constexpr std::size_t kMostUnpacked = 1024;
constexpr std::size_t kMostMembers = 4096;

bool is(std::string_view name, std::string_view wanted) {
    if (name.ends_with("_c")) name.remove_suffix(2);
    if (name.ends_with("_external")) name.remove_suffix(9);
    return name == wanted;
}

struct Slice {
    std::int64_t offset = 0;  ///< in the buffer
    std::int64_t bytes = 0;
};

/// Of a buffer of bytes, for each member. Values may be null.
std::vector<Slice> slices_of(const model::Value* count,
                             const model::Value* counts,
                             const model::Value* displacements,
                             std::size_t members) {
    std::vector<Slice> slices;
    for (std::size_t member = 0; member < members; ++member) {
        if (count != nullptr) {
            const auto offset = checked_product(static_cast<std::int64_t>(member), count->number);
            if (!offset) return {};
            slices.push_back({*offset, count->number});
        } else if (counts != nullptr && displacements != nullptr && member < counts->list.size() &&
                   member < displacements->list.size()) {
            slices.push_back({displacements->list[member], counts->list[member]});
        }
    }
    return slices;
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
    if (!see_message(seen) && !see_persistent(seen) && !see_rooted(seen)) forget_written(seen);
}

PackedMessages::Key PackedMessages::key_of(const Seen& seen, std::uint64_t made) {
    return {seen.call.process, seen.call.event, made};
}

PackedMessages::Key PackedMessages::key_of(const Operation& operation,
                                           const Matcher& matcher) const {
    const EventSite& site = operation.site;
    const EventSite* const origin = matcher.origin(operation);
    if (origin == nullptr) return {site.process, site.event, 0};
    if (report_.procedure_name(*origin).ends_with("_init"))
        return {site.process, site.event, origin->event};
    // The call that has the buffer, where a matched probe came before it.
    return {origin->process, origin->event, 0};
}

// True: it writes to nothing that is not known afterwards.
bool PackedMessages::see_message(const Seen& seen) {
    if (seen.has("info") || seen.procedure.name.ends_with("_init")) return false;
    if (seen.has("sendtag")) {
        if (!seen.has("sendbuf")) return false;
        if (may_be_packed(seen.number("sendtype"))) send(key_of(seen), seen.number("sendbuf"));
        if (!may_be_packed(seen.number("recvtype"))) return false;
        receive(key_of(seen), seen.number("recvbuf"), seen.number("recvcount"));
        return true;
    }
    const bool packed = seen.has("buf") && may_be_packed(seen.number("datatype"));
    if (seen.has("dest")) {
        if (packed) send(key_of(seen), seen.number("buf"));
        return true;
    }
    if (!packed || (!seen.has("source") && !seen.has("message"))) return false;
    receive(key_of(seen), seen.number("buf"), seen.number("count"));
    return true;
}

// The same of persistent point-to-point operations.
bool PackedMessages::see_persistent(const Seen& seen) {
    auto& persistent = processes_[seen.call.process.index()].persistent;
    if (const model::Value* const all = seen.named("array_of_requests")) {
        if (!is(seen.procedure.name, "MPI_Startall")) return false;
        for (const std::int64_t request : all->list)
            start(seen, request);
        return true;
    }
    if (is(seen.procedure.name, "MPI_Start")) {
        start(seen, seen.number("request"));
        return true;
    }
    if (is(seen.procedure.name, "MPI_Request_free")) persistent.erase(seen.number("request"));
    const bool sends = seen.has("dest");
    const model::Value* const made =
        model::value_of(seen.procedure, seen.call.after, model::Role::Request);
    if (!seen.procedure.name.ends_with("_init") || seen.has("info") || made == nullptr ||
        (!sends && !seen.has("source")) || !may_be_packed(seen.number("datatype")))
        return false;
    persistent[made->number] = {seen.call.event, seen.number("buf"), seen.number("count"), sends};
    return true;
}

void PackedMessages::start(const Seen& seen, std::int64_t request) {
    const auto& persistent = processes_[seen.call.process.index()].persistent;
    const auto found = persistent.find(request);
    if (found == persistent.end()) return;
    const auto& [made, buffer, bytes, sends] = found->second;
    if (sends) {
        send(key_of(seen, made), buffer);
    } else {
        receive(key_of(seen, made), buffer, bytes);
    }
}

bool PackedMessages::see_rooted(const Seen& seen) {
    const std::string_view name = seen.procedure.name;
    const std::int64_t communicator = seen.number("comm");
    Members& members = report_.members();
    if (!seen.has("root") || !members.valid(communicator) || name.ends_with("_init") ||
        name.ends_with("_init_c"))
        return false;
    const model::CommunicatorId id{static_cast<int>(communicator)};
    const auto own = members.member_of(id, seen.call.process);
    if (members.inter(id) || !own || members.size(id) > kMostMembers) return false;
    const bool root = static_cast<std::int64_t>(*own) == seen.number("root");
    if (seen.has("buffer")) {
        if (!may_be_packed(seen.number("datatype"))) return false;
        if (root) send(key_of(seen), seen.number("buffer"));
        if (!root) receive(key_of(seen), seen.number("buffer"), seen.number("count"));
        return true;
    }
    if (!seen.has("sendtype") || !seen.has("recvtype")) return false;
    const bool scatters = name.find("catter") != name.npos;
    if (may_be_packed(seen.number("sendtype")) && (root || !scatters)) {
        if (scatters) send_parts(seen, members.size(id));
        if (!scatters) send(key_of(seen), seen.number("sendbuf"));
    }
    if (!root && !scatters) return true;  // receives nothing
    if (!may_be_packed(seen.number("recvtype"))) return false;
    if (scatters) receive(key_of(seen), seen.number("recvbuf"), seen.number("recvcount"));
    if (!scatters) receive_parts(seen, members.size(id));
    return true;
}

void PackedMessages::send_parts(const Seen& seen, std::size_t members) {
    const Process& process = processes_[seen.call.process.index()];
    const std::int64_t buffer = seen.number("sendbuf");
    auto& sent = sent_[key_of(seen)];
    for (const Slice& part : slices_of(
             seen.named("sendcount"), seen.named("sendcounts"), seen.named("displs"), members))
        sent.push_back(part_of(process, buffer, part.offset, part.bytes));
}

void PackedMessages::receive_parts(const Seen& seen, std::size_t members) {
    const std::int64_t buffer = seen.number("recvbuf");
    for (const Slice& part : slices_of(
             seen.named("recvcount"), seen.named("recvcounts"), seen.named("displs"), members)) {
        const auto place = checked_sum(buffer, part.offset);
        receive(key_of(seen), place.value_or(0), part.bytes);
    }
}

// Packed at its own beginning, or behind others from the beginning of the buffer on: what was
// packed last counts.
std::shared_ptr<const PackedMessages::Pieces> PackedMessages::part_of(const Process& process,
                                                                      std::int64_t buffer,
                                                                      std::int64_t offset,
                                                                      std::int64_t bytes) {
    const auto place = checked_sum(buffer, offset);
    const auto end = checked_sum(offset, bytes);
    if (!place || !end) return nullptr;
    const auto found = process.packing.find(*place);
    const auto own = found == process.packing.end() ? nullptr : found->second;
    const auto whole = process.packing.find(buffer);
    if (whole == process.packing.end()) return own;
    const auto first = whole->second->find(offset);
    if (first == whole->second->end() ||
        (own != nullptr && own->begin()->second.site.event > first->second.site.event))
        return own;
    auto part = std::make_shared<Pieces>();
    for (auto piece = first; piece != whole->second->lower_bound(*end); ++piece) {
        Piece moved = piece->second;
        moved.position -= offset;
        part->emplace(moved.position, moved);
    }
    return part;
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

void PackedMessages::send(const Key& key, std::int64_t buffer) {
    const Process& process = processes_[std::get<model::ProcessId>(key).index()];
    const auto found = process.packing.find(buffer);
    if (found != process.packing.end()) sent_[key].push_back(found->second);
}

void PackedMessages::receive(const Key& key, std::int64_t buffer, std::int64_t bytes) {
    Process& process = processes_[std::get<model::ProcessId>(key).index()];
    const std::int64_t end = checked_sum(buffer, std::max<std::int64_t>(bytes, 1)).value_or(buffer);
    process.packing.erase(process.packing.lower_bound(buffer), process.packing.lower_bound(end));
    process.received.erase(process.received.lower_bound(buffer), process.received.lower_bound(end));
    const auto message = std::make_shared<Message>();
    expected_[key].push_back(message);
    if (!process.reused.contains(buffer)) process.received[buffer] = message;
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
    const EventSite* const origin = matcher.origin(received);
    const EventSite& site = origin != nullptr ? *origin : received.site;
    const auto from = sent_.extract(key_of(sent, matcher));
    const auto to = expected_.extract(key_of(received, matcher));
    const auto& processes = report_.execution().processes;
    // In which order threads have sent or received, the record does not show.
    if (received.ambiguous || !received.has_buffer ||
        processes[sent.site.process.index()].threads_communicate ||
        processes[received.site.process.index()].threads_communicate)
        return;
    const Piece plain{sent.site, 0, sent.count, sent.datatype};
    if (from && !may_be_packed(received.datatype.value)) {
        compare_received(*from.mapped().front(), {site, 0, received.count, received.datatype});
    } else if (from && to) {
        arrive(*to.mapped().front(), from.mapped().front(), plain);
    } else if (to && !may_be_packed(sent.datatype.value) &&
               received.datatype.value == packed_type_) {
        arrive(*to.mapped().front(), nullptr, plain);
    }
}

void PackedMessages::check(const Wave& wave) {
    if (!packs_ || sent_.empty() || wave.contributions.empty()) return;
    const auto root = static_cast<std::size_t>(wave.contributions.front().root);
    if (wave.contributions.front().root < 0 || root >= wave.contributions.size()) return;
    std::vector<std::vector<std::shared_ptr<const Pieces>>> sent;
    for (const Contribution& one : wave.contributions) {
        auto from = sent_.extract(Key{one.site.process, one.site.event, 0});
        sent.push_back(from ? std::move(from.mapped()) : decltype(sent)::value_type{});
    }
    for (std::size_t member = 0; member < sent.size(); ++member) {
        const EventSite& site = wave.contributions[member].site;
        const auto to = expected_.extract(Key{site.process, site.event, 0});
        if (!to) continue;
        const bool one_giver = to.mapped().size() == 1;
        for (std::size_t at = 0; at < to.mapped().size() && at < sent.size(); ++at) {
            const auto& given = sent[one_giver ? root : at];
            const std::size_t part = given.size() > 1 ? member : 0;
            if (part < given.size() && given[part] != nullptr)
                arrive(*to.mapped()[at], given[part], {});
        }
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
