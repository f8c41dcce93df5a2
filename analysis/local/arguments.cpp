#include "analysis/local/arguments.h"

#include <algorithm>
#include <array>

#include "analysis/datatypes/checked.h"
#include "analysis/local/operators.h"

namespace mqinspect::analysis {

namespace {

using model::ParameterKind;
using model::Role;

// No program has data in the first page.
constexpr std::int64_t kFirstPage = 4096;

std::string text(std::int64_t number) {
    return std::to_string(number);
}

std::string ranks_text(std::int64_t size) {
    return text(size) + (size == 1 ? " rank" : " ranks (0 to " + text(size - 1) + ")");
}

class ArgumentCheck {
public:
    ArgumentCheck(const CallView& view,
                  const CommunicatorShape& shape,
                  const model::Execution& execution,
                  const Footprints& footprints,
                  const Handles& handles,
                  const std::vector<Access>& accesses)
        : view_(view),
          shape_(shape),
          execution_(execution),
          footprints_(footprints),
          handles_(handles),
          accesses_(accesses) {}

    InvalidArgument check() {
        const bool found = handle(Role::Communicator, "communicator", "MPI_COMM_NULL") ||
                           handle(Role::Window, "window", "MPI_WIN_NULL") ||
                           handle(Role::File, "file", "MPI_FILE_NULL") || operator_handle() ||
                           request_handle() || peers() || tags() || root() || counts() ||
                           datatypes() || in_place() || buffers() || target() || operation();
        if (!found) result_.message.clear();
        return std::move(result_);
    }

private:
    bool invalid(std::string message) {
        result_.message = view_.name() + " is given " + std::move(message) + ".";
        return true;
    }

    bool communicates() const { return view_.local.buffers != BufferRule::None; }

    bool is_null_or_wrong(std::int64_t id, std::string_view noun, std::string_view null) {
        if (id >= 0) return false;
        if (id == model::kNullHandle)
            return invalid(std::string{null} + " where it needs a " + std::string{noun});
        if (id == model::kInvalidHandle)
            return invalid("a " + std::string{noun} + " handle that this process has never had");
        return false;
    }

    bool handle(Role role, std::string_view noun, std::string_view null) {
        const model::Value* const value = view_.in(role);
        // Defaults for all files belong to MPI_FILE_NULL; some names are asked of anything.
        if (value == nullptr || value->number >= 0) return false;
        if (view_.name().ends_with("errhandler")) return false;
        return is_null_or_wrong(value->number, noun, null);
    }

    bool operator_handle() {
        const model::Value* const value = view_.in(Role::Operator);
        return value != nullptr &&
               is_null_or_wrong(value->number, "reduction operator", "MPI_OP_NULL");
    }

    bool request_handle() {
        using enum RequestAction;
        const RequestAction action = view_.local.requests;
        if (action == None) return false;
        const bool needs_one = action == Start || action == Startall || action == Free ||
                               action == Cancel || action == Partition;
        const auto wrong = [&](std::int64_t id) {
            if (id == model::kNullHandle)
                return needs_one && invalid("MPI_REQUEST_NULL where it needs a request");
            return id == model::kInvalidHandle &&
                   invalid("a request handle that this process has never had");
        };
        if (const model::Value* const list = view_.in(Role::Requests))
            return std::any_of(list->list.begin(), list->list.end(), wrong);
        return wrong(view_.number(Role::Request, 0));
    }

    std::string communicator_text() const {
        const std::int64_t id = view_.number(Role::Communicator, model::kNullHandle);
        const auto at = static_cast<std::size_t>(id);
        const bool named = id >= 0 && at < execution_.communicators.size() &&
                           !execution_.communicators[at].name.empty();
        const std::string name =
            named ? execution_.communicators[at].name : std::string{"the communicator"};
        return (shape_.inter ? "the remote group of " : "") + name + " has " +
               ranks_text(shape_.peers());
    }

    bool in_group(std::int64_t rank) const {
        return shape_.size == 0 || (rank >= 0 && rank < shape_.peers());
    }

    bool peers() {
        if (!communicates() &&
            view_.local.procedure->function.call_class != model::CallClass::Probe)
            return false;
        const model::Value* const destination = view_.in(Role::Destination);
        if (destination != nullptr && destination->number != model::kProcNull &&
            !in_group(destination->number)) {
            if (destination->number == model::kAnySource)
                return invalid("MPI_ANY_SOURCE as destination");
            return invalid("destination " + text(destination->number) + ", but " +
                           communicator_text());
        }
        const model::Value* const source = view_.in(Role::Source);
        return source != nullptr && source->number != model::kProcNull &&
               source->number != model::kAnySource && !in_group(source->number) &&
               invalid("source " + text(source->number) + ", but " + communicator_text());
    }

    bool tag(Role role, bool sent) {
        const model::Value* const value = view_.in(role);
        // MPI_TAG_UB is at least 32767 (MPI 4.0, 9.1.2).
        if (value == nullptr || (value->number >= 0 && value->number <= 32767)) return false;
        if (value->number > 0) {
            const auto bound = execution_.constants.find("MPI_TAG_UB");
            return bound != execution_.constants.end() && value->number > bound->second &&
                   invalid("tag " + text(value->number) + ", but the largest one is " +
                           text(bound->second));
        }
        if (value->number == model::kAnyTag)
            return sent && invalid("MPI_ANY_TAG as the tag of what it sends");
        return invalid("tag " + text(value->number) + ": tags are not negative");
    }

    bool tags() {
        const bool sent = view_.in(Role::Source) == nullptr;
        return tag(Role::Tag, sent) || tag(Role::SendTag, true) || tag(Role::ReceiveTag, false);
    }

    bool root() {
        const model::Value* const value = view_.in(Role::Root);
        if (value == nullptr || shape_.size == 0 || in_group(value->number)) return false;
        if (shape_.inter && (value->number == model::kRoot || value->number == model::kProcNull))
            return false;
        if (value->number == model::kProcNull || value->number == model::kRoot)
            return invalid("MPI_PROC_NULL or MPI_ROOT as root, but its communicator has one group");
        return invalid("root " + text(value->number) + ", but " + communicator_text());
    }

    bool is_root() const {
        const std::int64_t root = view_.number(Role::Root);
        return shape_.inter ? root == model::kRoot : root == shape_.rank;
    }

    bool sends() const {
        if (view_.number(Role::SendBuffer) == model::kInPlace) return false;
        if (view_.local.buffers == BufferRule::Scatter) return is_root();
        const bool rooted = view_.local.buffers == BufferRule::Gather;
        return !rooted || !shape_.inter ||
               (!is_root() && view_.number(Role::Root) != model::kProcNull);
    }

    bool receives() const {
        if (view_.number(Role::ReceiveBuffer) == model::kInPlace) return false;
        if (view_.local.buffers == BufferRule::Gather) return is_root();
        const bool rooted = view_.local.buffers == BufferRule::Scatter;
        return !rooted || !shape_.inter ||
               (!is_root() && view_.number(Role::Root) != model::kProcNull);
    }

    bool count(Role role, std::string_view what) {
        const model::Value* const value = view_.in(role);
        if (value == nullptr) return false;
        const auto negative = [&](std::int64_t number) {
            return number < 0 &&
                   invalid("a negative " + std::string{what} + " (" + text(number) + ")");
        };
        return negative(value->number) ||
               std::any_of(value->list.begin(), value->list.end(), negative);
    }

    bool counts() {
        if (communicates() && !ignores_origin(view_, execution_) && count(Role::Count, "count"))
            return true;
        if (sends() && count(Role::SendCount, "send count")) return true;
        if (receives() && count(Role::ReceiveCount, "receive count")) return true;
        return count(Role::TargetCount, "target count") ||
               count(Role::Partitions, "number of partitions");
    }

    bool datatype(Role role) {
        const model::Value* const value = view_.in(role);
        if (value == nullptr) return false;
        const auto wrong = [&](std::int64_t id) {
            if (is_null_or_wrong(id, "datatype", "MPI_DATATYPE_NULL")) return true;
            const CallSite* const made = handles_.uncommitted(id);
            if (made == nullptr) return false;
            result_.made = made;
            return invalid("a datatype that has not been committed with MPI_Type_commit");
        };
        if (value->list.empty()) return wrong(value->number);
        // Those of MPI_Alltoallw without elements are looked at by no library.
        const model::Value* const counted =
            view_.in(role == Role::SendDatatype ? Role::SendCount : Role::ReceiveCount);
        for (std::size_t i = 0; i < value->list.size(); ++i) {
            const bool empty =
                counted != nullptr && i < counted->list.size() && counted->list[i] == 0;
            if (!empty && wrong(value->list[i])) return true;
        }
        return false;
    }

    bool is_empty_list(Role role) const {
        const model::Value* const value = view_.in(role);
        return value != nullptr &&
               view_.local.procedure->parameters[index_of(role)].kind ==
                   ParameterKind::DatatypeList &&
               value->list.empty();
    }

    std::size_t index_of(Role role) const {
        return static_cast<std::size_t>(
            view_.local.procedure->by_role[static_cast<std::size_t>(role)]);
    }

    bool datatypes() {
        if (!communicates()) return false;
        if (!ignores_origin(view_, execution_) && datatype(Role::Datatype)) return true;
        if (sends() && !is_empty_list(Role::SendDatatype) && datatype(Role::SendDatatype))
            return true;
        if (receives() && !is_empty_list(Role::ReceiveDatatype) && datatype(Role::ReceiveDatatype))
            return true;
        return datatype(Role::TargetDatatype);
    }

    /// MPI_IN_PLACE where it means nothing.
    bool in_place() {
        using enum BufferRule;
        const BufferRule rule = view_.local.buffers;
        if (rule == None) return false;
        const auto given = [this](Role role) {
            const model::Value* const value = view_.in(role);
            return value != nullptr && value->number == model::kInPlace;
        };
        if (given(Role::Buffer)) return invalid("MPI_IN_PLACE as buffer, which it has no use for");
        const bool root_only = rule == Gather || rule == Reduce;
        if (given(Role::SendBuffer) && (shape_.inter || (root_only && !is_root()))) {
            return shape_.size > 0 && shape_.rank >= 0 &&
                   invalid("MPI_IN_PLACE as send buffer, which " +
                           std::string{shape_.inter ? "an intercommunicator does not allow"
                                                    : "only the root may do"});
        }
        if (given(Role::ReceiveBuffer) &&
            (rule == Scatter ? !is_root() : !root_only || is_root())) {
            return shape_.rank >= 0 &&
                   invalid(rule == Scatter
                               ? "MPI_IN_PLACE as receive buffer, which only the root may do"
                               : "MPI_IN_PLACE as receive buffer: it belongs in the place of the "
                                 "send buffer");
        }
        return false;
    }

    bool buffers() {
        const auto null = std::find_if(accesses_.begin(), accesses_.end(), [](const Access& one) {
            return one.hull.low >= 0 && one.hull.low < kFirstPage;
        });
        if (null == accesses_.end()) return false;
        if (null->address == 0) {
            return invalid("a null pointer as " + std::string{null->name} + " of " +
                           text(null->count) + " elements");
        }
        return invalid("a " + std::string{null->name} + " at an address where no memory is");
    }

    const model::RecordedWindow* window() const {
        const std::int64_t id = view_.number(Role::Window, model::kNullHandle);
        const auto at = static_cast<std::size_t>(id);
        return id >= 0 && at < execution_.windows.size() ? &execution_.windows[at] : nullptr;
    }

    /// One-sided operations: the target, and the place in its memory.
    bool target() {
        const model::Value* const rank = view_.in(Role::TargetRank);
        const model::RecordedWindow* const found = window();
        if (rank == nullptr || found == nullptr || rank->number == model::kProcNull) return false;
        const auto at = static_cast<std::size_t>(found->communicator.value);
        if (found->communicator.value < 0 || at >= execution_.communicators.size()) return false;
        const auto& members = execution_.communicators[at].members;
        const auto size = static_cast<std::int64_t>(members.size());
        if (rank->number < 0 || rank->number >= size) {
            return invalid("target rank " + text(rank->number) + ", but the window has " +
                           ranks_text(size));
        }
        return view_.in(Role::TargetDisplacement) != nullptr &&
               target_place(*found, members[static_cast<std::size_t>(rank->number)]);
    }

    bool target_place(const model::RecordedWindow& found, model::ProcessId process) {
        const std::int64_t displacement = view_.number(Role::TargetDisplacement);
        if (found.kind == "MPI_Win_create_dynamic") return false;
        const auto part =
            std::find_if(found.parts.begin(), found.parts.end(), [process](const auto& one) {
                return one.process == process;
            });
        if (part == found.parts.end()) return false;
        const bool counted = view_.in(Role::TargetCount) != nullptr;
        const std::int64_t type =
            view_.number(counted ? Role::TargetDatatype : Role::Datatype, model::kNullHandle);
        const auto start = checked_product(displacement, part->displacement_unit);
        if (!start || type < 0 || type > INT32_MAX) return false;
        const auto hull = footprints_.hull(*start,
                                           counted ? view_.number(Role::TargetCount) : 1,
                                           model::DatatypeId{static_cast<int>(type)});
        if (!hull || hull->empty() || (hull->low >= 0 && hull->high <= part->bytes)) return false;
        return invalid("a target that reaches from byte " + text(hull->low) + " to byte " +
                       text(hull->high - 1) + " of the target's window, which has " +
                       text(part->bytes) + " bytes");
    }

    bool operation() {
        const std::int64_t op = view_.number(Role::Operator, model::kNullHandle);
        const std::int64_t type = view_.number(Role::Datatype, model::kNullHandle);
        const bool reduces = view_.local.buffers >= BufferRule::Reduce &&
                             view_.local.buffers <= BufferRule::ReduceLocal;
        if (!reduces || op < 0 || type < 0) return false;
        const auto op_at = static_cast<std::size_t>(op);
        const auto type_at = static_cast<std::size_t>(type);
        if (op_at >= execution_.operators.size() || type_at >= execution_.datatypes.size())
            return false;
        const model::RecordedDatatype& reduced = execution_.datatypes[type_at];
        const model::RecordedOperator& with = execution_.operators[op_at];
        const Reduction verdict = reduction(with, reduced);
        if (verdict == Reduction::Allowed || verdict == Reduction::Unknown) return false;
        // Some libraries reduce more than the standard asks for.
        if (view_.succeeded()) result_.severity = Severity::Warning;
        const std::string name =
            is_basic(reduced) && !reduced.name.empty() ? reduced.name : "a derived datatype";
        return invalid("the operator " + with.name + ", which is not defined for " + name);
    }

    const CallView& view_;
    const CommunicatorShape& shape_;
    const model::Execution& execution_;
    const Footprints& footprints_;
    const Handles& handles_;
    const std::vector<Access>& accesses_;
    InvalidArgument result_;
};

}  // namespace

InvalidArgument check_arguments(const CallView& view,
                                const CommunicatorShape& shape,
                                const model::Execution& execution,
                                const Footprints& footprints,
                                const Handles& handles,
                                const std::vector<Access>& accesses) {
    return ArgumentCheck(view, shape, execution, footprints, handles, accesses).check();
}

}  // namespace mqinspect::analysis
