#include "analysis/local/refusals.h"

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

using model::Role;

void Refusals::check(const CallView& view, std::string_view error_class) {
    if (view.succeeded()) return note(view);
    if (process_.incomplete) return;
    if (error_class == "MPI_ERR_BUFFER" &&
        view.local.procedure->function.mode == model::SendMode::Buffered)
        check_buffer(view);
    if (view.name() == "MPI_Group_from_session_pset") check_process_set(view);
}

void Refusals::note(const CallView& view) {
    if (view.name().starts_with("MPI_Buffer_attach")) {
        const model::Value* const size = view.named("size");
        const model::Value* const buffer = view.named("buffer");
        if (size != nullptr && buffer != nullptr)
            attached_ = Attached{site_of(view.call), size->number, buffer->number};
    } else if (view.name().starts_with("MPI_Buffer_detach")) {
        attached_.reset();
    } else if (view.name() == "MPI_Session_get_nth_pset") {
        const model::Value* const name =
            model::value_of(*view.local.procedure, view.call.after, "pset_name");
        if (name != nullptr) process_sets_.insert(text_of(execution_, name));
    }
}

const CallSite* Refusals::attached_in(std::int64_t address, std::int64_t bytes) const {
    const bool there = attached_ && attached_->address < address + bytes &&
                       address < attached_->address + attached_->bytes;
    return there ? &attached_->site : nullptr;
}

bool Refusals::check_status(const CallView& view) {
    const model::Value* const status = view.named("status");
    if (status == nullptr || !status->list.empty()) return true;
    Finding* const finding = reporter_.report(
        FindingClass::InvalidArgument, Severity::Error, process_.id, {{site_of(view.call)}});
    if (finding != nullptr) {
        finding->message = view.name() +
                           " is given MPI_STATUS_IGNORE, or a null pointer, as status: there is "
                           "nothing to read.";
    }
    return false;
}

void Refusals::check_buffer(const CallView& view) {
    const std::int64_t type = view.number(Role::Datatype, model::kNullHandle);
    if (type < 0 || static_cast<std::size_t>(type) >= execution_.datatypes.size()) return;
    const auto needed = checked_step(execution_.constant("MPI_BSEND_OVERHEAD", 0),
                                     view.number(Role::Count),
                                     execution_.datatypes[static_cast<std::size_t>(type)].size);
    if (!needed) return;
    std::vector<Involved> calls{{site_of(view.call)}};
    if (attached_) calls.push_back({attached_->site, "attaches the buffer", false});
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument, Severity::Error, process_.id, calls);
    if (finding == nullptr) return;
    const std::string needs = view.name() + " needs " + std::to_string(*needed) +
                              " bytes of the attached buffer, MPI_BSEND_OVERHEAD included, but ";
    if (!attached_) {
        finding->message = needs + "MPI_Buffer_attach has attached none.";
    } else if (*needed > attached_->bytes) {
        finding->message = needs + "it has " + std::to_string(attached_->bytes) + ".";
    } else {
        finding->message = needs + "of its " + std::to_string(attached_->bytes) +
                           " earlier messages take too much.";
    }
}

void Refusals::check_process_set(const CallView& view) {
    const std::string name = text_of(execution_, view.named("pset_name"));
    if (name.empty() || name.starts_with("mpi://") || process_sets_.contains(name)) return;
    Finding* const finding = reporter_.report(
        FindingClass::InvalidArgument, Severity::Error, process_.id, {{site_of(view.call)}});
    if (finding != nullptr) {
        finding->message =
            view.name() + " is given \"" + name + "\", which is none of MPI's process sets.";
    }
}

}  // namespace mqinspect::analysis
