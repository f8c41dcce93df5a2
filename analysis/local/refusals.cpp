#include "analysis/local/refusals.h"

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

using model::Role;

namespace {

/// "MPI_Comm_": of which objects the attributes are that the call is about.
std::string_view family_of(std::string_view procedure) {
    if (procedure.starts_with("MPI_Attr_") || procedure == "MPI_Finalize") return "MPI_Comm_";
    return procedure.substr(0, procedure.find('_', 4) + 1);
}

bool copies_attributes(std::string_view procedure) {
    return procedure.starts_with("MPI_Comm_dup") || procedure.starts_with("MPI_Comm_idup") ||
           procedure == "MPI_Type_dup";
}

/// Where there are some, or replaces them.
bool deletes_attributes(std::string_view procedure) {
    return procedure.ends_with("_free") || procedure == "MPI_Comm_disconnect" ||
           procedure == "MPI_Finalize" || procedure == "MPI_Attr_put" ||
           procedure == "MPI_Attr_delete" || procedure.ends_with("_set_attr") ||
           procedure.ends_with("_delete_attr");
}

std::int64_t given_back(const CallView& view, std::string_view name) {
    const model::Value* const value = model::value_of(*view.local.procedure, view.call.after, name);
    return value != nullptr ? value->number : 0;
}

}  // namespace

void Refusals::check(const CallView& view, std::string_view error_class) {
    if (view.name().starts_with("MPI_Add_error_") && !process_.incomplete) check_added(view);
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
    } else if (view.name() == "MPI_Add_error_class") {
        const std::int64_t added = given_back(view, "errorclass");
        added_.insert(added);
        classes_.insert(added);
    } else if (view.name() == "MPI_Add_error_code") {
        added_.insert(given_back(view, "errorcode"));
    } else if (view.name() == "MPI_Attr_put" || view.name().ends_with("_set_attr")) {
        attributes_.emplace(family_of(view.name()));
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

std::string_view Refusals::own_function(const CallView& view,
                                        std::int64_t code,
                                        std::string_view error_class,
                                        bool generalized) const {
    if (generalized) return "a function of a generalized request";
    const bool attributes = attributes_.contains(family_of(view.name()));
    const bool lacks = error_class == "MPI_ERR_NO_MEM" || error_class == "MPI_ERR_INTERN";
    if (attributes && !lacks && copies_attributes(view.name()))
        return "a function that copies an attribute";
    if (attributes && !lacks && deletes_attributes(view.name()))
        return "a function that deletes an attribute";
    return added_.contains(code) ? "a function that MPI has called" : "";
}

// What MPI has defined stays as it is (MPI 4.0, 9.5).
void Refusals::check_added(const CallView& view) {
    const std::int64_t last = execution_.constant("MPI_ERR_LASTCODE", INT64_MAX);
    const bool of_text = view.name() == "MPI_Add_error_string";
    const model::Value* const value = view.named(of_text ? "errorcode" : "errorclass");
    if (value == nullptr || view.name() == "MPI_Add_error_class") return;
    const std::int64_t given = value->number;
    const bool predefined = given >= 0 && given <= last;
    if (of_text ? added_.contains(given) : predefined || classes_.contains(given)) return;
    std::string wrong = "error code " + std::to_string(given);
    if (!of_text) {
        wrong = std::to_string(given) + " as an error class, which is " +
                (added_.contains(given) ? "an error code" : "none that this process has added");
    } else if (predefined) {
        wrong +=
            ", which MPI has defined: only those of MPI_Add_error_class and "
            "MPI_Add_error_code may be given another text";
    } else {
        wrong += ", which is no error code or class that this process has added";
    }
    Finding* const finding = reporter_.report(
        FindingClass::InvalidArgument, Severity::Error, process_.id, {{site_of(view.call)}});
    if (finding != nullptr) finding->message = view.name() + " is given " + wrong + ".";
}

void Refusals::check_buffer(const CallView& view) {
    const model::RecordedDatatype* const type =
        execution_.datatype(view.number(Role::Datatype, model::kNullHandle));
    if (type == nullptr) return;
    const auto needed = checked_step(
        execution_.constant("MPI_BSEND_OVERHEAD", 0), view.number(Role::Count), type->size);
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
