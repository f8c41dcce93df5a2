#include "analysis/local/attachments.h"

#include <algorithm>
#include <string>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

using model::ProcessId;
using model::Role;

namespace {

std::string bytes_text(const ByteRange& range) {
    return std::to_string(range.high - range.low) + " bytes from " + address_text(range.low) +
           " on";
}

/// What of `whole` lies in none of the ranges, in order.
std::vector<ByteRange> gaps(const ByteRange& whole, std::vector<ByteRange> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) {
        return a.low < b.low;
    });
    std::vector<ByteRange> result;
    std::int64_t covered = whole.low;
    for (const ByteRange& range : ranges) {
        if (range.low >= whole.high) break;
        if (range.low > covered) result.push_back({covered, range.low});
        covered = std::max(covered, range.high);
    }
    if (covered < whole.high) result.push_back({covered, whole.high});
    return result;
}

}  // namespace

bool Attachments::wanted() const {
    return std::ranges::any_of(execution_.windows, [](const model::RecordedWindow& window) {
        return window.is_dynamic();
    });
}

void Attachments::read(const CallView& view) {
    if (!view.succeeded()) return;
    const std::int64_t window = view.number(Role::Window, model::kNullHandle);
    if (view.local.window == WindowAction::Free) {
        const auto freed = attachments_.find({window, view.call.process});
        if (freed == attachments_.end()) return;
        for (Attachment& one : freed->second)
            one.ended_ns = std::min(one.ended_ns, view.call.enter_ns);
        return;
    }
    if (view.local.definition != DefinitionRule::DynamicWindow) return;
    const model::Value* const base = view.named("base");
    if (window < 0 || base == nullptr) return;
    if (const model::Value* const size = view.named("size")) {
        attach(view, base->number, size->number);
    } else {
        detach(view, base->number);
    }
}

void Attachments::attach(const CallView& view, std::int64_t base, std::int64_t bytes) {
    const auto end = checked_sum(base, bytes);
    if (!end) return;
    auto& all = attachments_[{view.number(Role::Window), view.call.process}];
    Attachment added;
    added.memory = {base, *end};
    added.attached = site_of(view.call);
    added.attached_ns = view.call.leave_ns;
    for (const Attachment& one : all) {
        if (one.until != TargetAccess::kNever || !one.memory.meets(added.memory)) continue;
        refuse(view, &one.attached, "memory that is attached to the window already");
        break;
    }
    all.push_back(added);
}

void Attachments::detach(const CallView& view, std::int64_t base) {
    for (Attachment& one : attachments_[{view.number(Role::Window), view.call.process}]) {
        if (one.memory.low != base || one.until != TargetAccess::kNever) continue;
        one.until = view.call.event;
        one.detached = site_of(view.call);
        one.ended_ns = view.call.enter_ns;
        return;
    }
    if (!execution_.processes[view.call.process.index()].incomplete)
        refuse(view, nullptr, "memory that MPI_Win_attach has not added to the window");
}

const CallSite* Attachments::attached_at(ProcessId process,
                                         const ByteRange& memory,
                                         std::int64_t time_ns) const {
    for (const auto& [owner, all] : attachments_) {
        if (owner.second != process) continue;
        for (const Attachment& one : all) {
            if (one.memory.meets(memory) && one.attached_ns <= time_ns && time_ns < one.ended_ns)
                return &one.attached;
        }
    }
    return nullptr;
}

std::optional<ByteRange> Attachments::changed_by(const CallView& view) const {
    const auto found =
        attachments_.find({view.number(Role::Window, model::kNullHandle), view.call.process});
    if (view.local.definition != DefinitionRule::DynamicWindow || !view.succeeded() ||
        found == attachments_.end())
        return std::nullopt;
    const auto is_it = [&](const CallSite& site) {
        return site.event == view.call.event && site.thread == view.call.thread &&
               site.procedure == view.call.procedure;
    };
    for (const Attachment& one : found->second)
        if (is_it(one.attached) || is_it(one.detached)) return one.memory;
    return std::nullopt;
}

void Attachments::refuse(const CallView& view, const CallSite* made, std::string_view what) {
    std::vector<Involved> calls{{site_of(view.call)}};
    if (made != nullptr) calls.push_back({*made, "attaches it", false});
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument, Severity::Error, view.call.process, calls);
    if (finding != nullptr) finding->message = view.name() + " is given " + std::string{what} + ".";
}

void Attachments::check(std::int64_t window, ProcessId target, const TargetAccess& access) {
    // What came before the record begins, or by other threads at that time, is not known.
    if (execution_.processes[target.index()].incomplete) return;
    const auto found = attachments_.find({window, target});
    std::vector<ByteRange> there;
    if (found != attachments_.end()) {
        for (const Attachment& one : found->second) {
            const bool own = access.origin == target && one.attached.thread == access.site.thread;
            const bool over = own ? one.until < access.issued
                                  : access.known != nullptr && one.until != TargetAccess::kNever &&
                                        (*access.known)[target.index()] > one.until;
            const bool to_come = own && one.attached.event > access.issued;
            if (!over && !to_come) there.push_back(one.memory);
        }
    }
    const Footprint bytes =
        footprints_.of(access.memory.address, access.memory.count, access.memory.type);
    for (const ByteRange& gap : gaps(access.memory.hull, std::move(there))) {
        Footprint missing;
        missing.runs.push_back({gap.low, gap.high - gap.low});
        if (overlap(bytes, missing) != Overlap::Some) continue;
        return report(access,
                      target,
                      found == attachments_.end() ? std::vector<Attachment>{} : found->second,
                      gap);
    }
}

void Attachments::report(const TargetAccess& access,
                         ProcessId target,
                         const std::vector<Attachment>& all,
                         const ByteRange& missing) {
    // The one that was there, or the one that ends where the gap begins, or nothing.
    const auto was_there =
        std::ranges::find_if(all, [&](const Attachment& one) { return one.memory.meets(missing); });
    const auto touches = std::ranges::find_if(all, [&](const Attachment& one) {
        return one.memory.meets(access.memory.hull) || one.memory.high == missing.low;
    });
    const Attachment* const near = was_there != all.end() ? &*was_there
                                   : touches != all.end() ? &*touches
                                                          : nullptr;
    const bool detached = was_there != all.end() && near->until != TargetAccess::kNever;
    std::vector<Involved> calls{{access.site}};
    if (near != nullptr) {
        calls.push_back({detached ? near->detached : near->attached,
                         detached ? "detaches it" : "attaches memory",
                         false,
                         target});
    }
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument, Severity::Error, access.origin, calls);
    if (finding == nullptr) return;
    finding->reaches = Memory{target, access.memory.hull.low, access.memory.hull.high};
    const std::string& name = execution_.procedures[access.site.procedure.index()].name;
    const std::string rank = rank_number(execution_, target);
    finding->message =
        name + " accesses memory of process " + rank + " (" + bytes_text(missing) + ") that " +
        (detached                 ? "MPI_Win_detach has taken away."
         : was_there != all.end() ? "is not attached yet."
         : near != nullptr
             ? "is not attached: MPI_Win_attach has added " + bytes_text(near->memory) + "."
             : "is not attached to the dynamic window by MPI_Win_attach.");
}

}  // namespace mqinspect::analysis
