#include "analysis/local/overlaps.h"

#include <algorithm>

namespace mqinspect::analysis {

namespace {

/// "0x1000-0x103f".
std::string bytes_text(const ByteRange& range) {
    return address_text(range.low) + "-" + address_text(range.high - 1);
}

std::string with_article(std::string_view name) {
    const bool vowel = name.starts_with("in") || name.starts_with("or");
    return (name.starts_with("part") ? "a " : vowel ? "an " : "a ") + std::string{name};
}

}  // namespace

bool Overlaps::share_bytes(const Access& left, const Access& right) {
    return left.hull.meets(right.hull) &&
           overlap(footprints_.of(left.address, left.count, left.type),
                   footprints_.of(right.address, right.count, right.type)) == Overlap::Some;
}

void Overlaps::check(const CallView& view, const std::vector<Access>& accesses) {
    if (accesses.size() > 1) check_own(view, accesses);
    if (active_.empty()) return;
    const CallSite site = site_of(view.call);
    for (const Access& access : accesses)
        check_active(site, nullptr, access);
}

void Overlaps::open(const CallView& view, const std::vector<Access>& accesses) {
    Open call{view.call.thread, view.call.leave_event.has_value(), view.call.leave_ns, kNoSlot};
    for (const Access& access : accesses)
        call.buffers = active_.add(access, site_of(view.call), false, call.buffers);
    open_.push_back(call);
}

/// Times of one process are of one clock. A call inside another one is of the same thread.
void Overlaps::close_before(const CallView& view) {
    std::erase_if(open_, [&](const Open& call) {
        const bool is_over = call.thread == view.call.thread ||
                             (call.returns && call.leave_ns <= view.call.enter_ns);
        if (is_over) active_.remove(call.buffers);
        return is_over;
    });
}

void Overlaps::check_datatypes(const CallView& view, const std::vector<Access>& accesses) {
    using enum BufferRule;
    const BufferRule rule = view.local.buffers;
    // What MPI_Unpack leaves there is certain, as nothing but the process itself takes part.
    if (rule == Unpack) return;
    for (const Access& access : accesses)
        if (access.writes) check_datatype(view, access.count, access.type, access.name);
    if (rule != Put && rule != Accumulate && rule != GetAccumulate) return;
    const std::int64_t type = view.number(model::Role::TargetDatatype, model::kNullHandle);
    if (type < 0 || type > INT32_MAX) return;
    check_datatype(view,
                   view.number(model::Role::TargetCount),
                   model::DatatypeId{static_cast<int>(type)},
                   "target buffer");
}

void Overlaps::check_datatype(const CallView& view,
                              std::int64_t count,
                              model::DatatypeId type,
                              std::string_view buffer) {
    if (count < 1 || footprints_.own_overlap(count, type) != Overlap::Some) return;
    Finding* const finding = reporter_.report(
        FindingClass::Overlapping, Severity::Error, process_, {{site_of(view.call)}});
    if (finding == nullptr) return;
    const std::string elements = std::to_string(count);
    finding->message = "The " + std::string{buffer} + " of " + view.name() + " overlaps itself: " +
                       (footprints_.own_overlap(1, type) == Overlap::Some
                            ? "the datatype has entries that share bytes, and may only be sent."
                            : "the " + elements +
                                  " elements of the datatype share bytes with each other, and "
                                  "may only be sent.");
}

void Overlaps::check_start(const CallSite& start,
                           const CallSite& made,
                           const std::vector<Access>& accesses) {
    if (active_.empty()) return;
    for (const Access& access : accesses)
        check_active(start, &made, access);
}

void Overlaps::check_own(const CallView& view, const std::vector<Access>& accesses) {
    if (accesses.size() == 2) return check_pair(view, accesses[0], accesses[1]);
    sorted_.clear();
    for (const Access& access : accesses)
        sorted_.push_back(&access);
    const auto before = [](const Access* a, const Access* b) { return a->hull.low < b->hull.low; };
    if (!std::is_sorted(sorted_.begin(), sorted_.end(), before))
        std::sort(sorted_.begin(), sorted_.end(), before);
    // Bounds the work where all parts are interleaved.
    std::size_t work = 64 * sorted_.size();
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        for (std::size_t j = i + 1; j < sorted_.size() && work > 0; ++j, --work) {
            if (sorted_[j]->hull.low >= sorted_[i]->hull.high) break;
            check_pair(view, *sorted_[i], *sorted_[j]);
        }
    }
}

void Overlaps::check_pair(const CallView& view, const Access& first, const Access& second) {
    // The root of MPI_Scatterv should not read anything twice, for symmetry only (MPI 4.0, 6.6):
    // nothing goes wrong.
    const bool harmless = !first.writes && !second.writes;
    if (harmless && view.local.buffers != BufferRule::Scatter) return;
    if (!share_bytes(first, second)) return;
    Finding* const finding = reporter_.report(FindingClass::Overlapping,
                                              harmless ? Severity::Note : Severity::Error,
                                              process_,
                                              {{site_of(view.call)}});
    if (finding == nullptr) return;
    const bool parts = first.name == second.name;
    finding->message =
        (parts ? "Parts of the " + std::string{first.writes ? "receive" : "send"} + " buffer of " +
                     view.name() + " overlap: bytes "
               : "The " + std::string{first.name} + " and the " + std::string{second.name} +
                     " of " + view.name() + " overlap: bytes ") +
        bytes_text(first.hull) + " and " + bytes_text(second.hull) + ".";
}

void Overlaps::check_active(const CallSite& site, const CallSite* made, const Access& access) {
    active_.for_some_meeting(access.hull, access.writes, [&](const ActiveBuffers::Entry& entry) {
        if (!share_bytes(access, entry.access)) return false;
        const FindingClass finding_class =
            entry.remote_memory ? FindingClass::RmaConflict : FindingClass::Overlapping;
        std::vector<Involved> calls{{site, "starts here"},
                                    {entry.site, "not yet completed", false}};
        if (made != nullptr) calls.push_back({*made, "its buffer", false});
        Finding* const finding = reporter_.report(finding_class, Severity::Error, process_, calls);
        if (finding == nullptr) return true;
        finding->message = "This call " + std::string{access.writes ? "writes" : "reads"} + " " +
                           with_article(access.name) + " (bytes " + bytes_text(access.hull) +
                           ") that overlaps the one which a pending operation " +
                           (entry.access.writes ? "writes" : "reads") + " (bytes " +
                           bytes_text(entry.access.hull) + ").";
        return true;
    });
}

Involved changed_by(const model::RecordedEvent& event,
                    const CallSite& next,
                    std::string_view does) {
    if (!event.stack) return {next, kBehindChange, false};
    CallSite place;
    place.event = event.event;
    place.thread = event.thread;
    place.stack = *event.stack;
    return {place, does};
}

void Overlaps::changed_argument(const model::RecordedEvent& event,
                                const CallSite& next,
                                const CallSite& given,
                                bool persistent) {
    const char* const until = persistent ? "its request was freed" : "it had completed";
    Finding* const finding = reporter_.report(
        FindingClass::PendingBufferAccess,
        Severity::Error,
        process_,
        {{given, persistent ? "not yet freed" : "not yet completed"}, changed_by(event, next)},
        event.count);
    if (finding == nullptr) return;
    finding->message =
        "The program changed an array of counts, displacements or datatypes of this operation "
        "before " +
        std::string{until} + ": what is sent and received is not certain then.";
}

bool Overlaps::changed(const model::RecordedEvent& event, const CallSite& next) {
    if (event.numbers.size() < 3) return true;
    ByteRange range{event.numbers[1], 0};
    if (__builtin_add_overflow(range.low, event.numbers[2], &range.high)) return true;
    bool known = false;
    active_.for_some_meeting(range, true, [&](const ActiveBuffers::Entry& entry) {
        known = true;
        // Guards see some of it, and where; that it has changed follows from there.
        if (event.stack) {
            touched_.insert(entry.site.stack);
        } else if (touched_.contains(entry.site.stack)) {
            return true;
        }
        Finding* const finding =
            reporter_.report(FindingClass::PendingBufferAccess,
                             Severity::Error,
                             process_,
                             {{entry.site, "not yet completed"}, changed_by(event, next)},
                             event.count);
        if (finding == nullptr) return true;
        finding->message = "The program " + std::string{event.stack ? "touched" : "changed"} +
                           " the " + std::string{entry.access.name} + " (bytes " +
                           bytes_text(entry.access.hull) +
                           ") of this operation before it had completed: " +
                           (entry.access.writes ? "what is there is not certain then."
                                                : "what is sent is not certain then.");
        return true;
    });
    return known;
}

void Overlaps::freed(const model::RecordedEvent& event, const CallSite& next) {
    ByteRange range{event.numbers[0], 0};
    if (__builtin_add_overflow(range.low, event.numbers[1], &range.high)) return;
    active_.for_some_meeting(range, true, [&](const ActiveBuffers::Entry& entry) {
        // What the heap does with it follows from there.
        touched_.insert(entry.site.stack);
        Finding* const finding = reporter_.report(
            FindingClass::PendingBufferAccess,
            Severity::Error,
            process_,
            {{entry.site, "not yet completed"}, changed_by(event, next, "frees it")});
        if (finding == nullptr) return true;
        finding->message = "The program frees the " + std::string{entry.access.name} + " (bytes " +
                           bytes_text(entry.access.hull) +
                           ") of this operation before it has completed.";
        return true;
    });
}

}  // namespace mqinspect::analysis
