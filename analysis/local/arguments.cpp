#include "analysis/local/arguments.h"

#include <algorithm>
#include <array>

#include "analysis/datatypes/checked.h"
#include "analysis/local/definitions.h"
#include "analysis/local/fitting.h"
#include "analysis/local/operators.h"

namespace mqinspect::analysis {

namespace {

using model::ParameterKind;
using model::Role;

std::string text(std::int64_t number) {
    return std::to_string(number);
}

std::string ranks_text(std::int64_t size) {
    return text(size) + (size == 1 ? " rank" : " ranks (0 to " + text(size - 1) + ")");
}

/// How a kind of handle is named.
struct HandleWords {
    HandleKind kind{};
    std::string_view noun;
    std::string_view null;
};

constexpr HandleWords kCommunicator{HandleKind::Communicator, "communicator", "MPI_COMM_NULL"};
constexpr HandleWords kDatatype{HandleKind::Datatype, "datatype", "MPI_DATATYPE_NULL"};
constexpr HandleWords kOperator{HandleKind::Operator, "reduction operator", "MPI_OP_NULL"};
constexpr HandleWords kWindow{HandleKind::Window, "window", "MPI_WIN_NULL"};
constexpr HandleWords kFile{HandleKind::File, "file", "MPI_FILE_NULL"};
constexpr HandleWords kGroup{HandleKind::Group, "group", "MPI_GROUP_NULL"};
constexpr HandleWords kMessage{HandleKind::Message, "message", "MPI_MESSAGE_NULL"};

class ArgumentCheck {
public:
    ArgumentCheck(const CallView& view,
                  const CommunicatorShape& shape,
                  const model::Execution& execution,
                  const Footprints& footprints,
                  const TypeSignatures& signatures,
                  const Handles& handles,
                  const std::vector<Access>& accesses)
        : view_(view),
          shape_(shape),
          execution_(execution),
          footprints_(footprints),
          signatures_(signatures),
          handles_(handles),
          accesses_(accesses) {}

    InvalidArgument check() {
        const bool found = handle(Role::Communicator, kCommunicator) ||
                           handle(Role::Window, kWindow) || handle(Role::File, kFile) ||
                           operator_handle() || other_handles() || request_handle() || peers() ||
                           tags() || root() || counts() || datatypes() || in_place() || buffers() ||
                           target() || operation() || definition();
        if (!found) result_.message.clear();
        return std::move(result_);
    }

private:
    bool invalid(std::string message) {
        result_.message = view_.name() + " is given " + std::move(message) + ".";
        return true;
    }

    bool communicates() const { return view_.local.buffers != BufferRule::None; }

    bool is_null_or_wrong(std::int64_t id, const HandleWords& words) {
        if (id != model::kNullHandle && id != model::kInvalidHandle) return false;
        const CallSite* const freed = handles_.ended_by(words.kind, id);
        if (freed != nullptr && is_inside(view_.call, *freed)) return false;
        if (freed != nullptr) {
            result_.finding_class = FindingClass::UseAfterFree;
            result_.made = freed;
            result_.part = "freed here";
            return invalid("a " + std::string{words.noun} + " that has been freed");
        }
        const std::string noun{words.noun};
        if (id != model::kNullHandle) return invalid("a " + noun + handles_.never_had(words.kind));
        result_.made = handles_.null_given_by(words.kind);
        result_.part = "gave a null handle";
        return invalid(std::string{words.null} + " where it needs a " + noun);
    }

    bool handle(Role role, const HandleWords& words) {
        const model::Value* const value = view_.in(role);
        // Defaults for all files belong to MPI_FILE_NULL.
        if (value == nullptr || value->number >= 0) return false;
        if (role == Role::File && view_.name().ends_with("errhandler")) return false;
        return is_null_or_wrong(value->number, words);
    }

    /// Groups, messages, and datatypes of calls that communicate nothing.
    bool other_handles() {
        for (const LocalProcedure::Handle& one : view_.local.handles) {
            const auto at = static_cast<std::size_t>(one.at);
            if (!one.in || at >= view_.call.before.size()) continue;
            const model::Value& value = view_.call.before[at];
            if (one.kind == HandleKind::Group && group_handle(value)) return true;
            // MPI_MESSAGE_NO_PROC is not among the recorder's messages, and a datatype may have
            // come from where no recorder was.
            if (view_.succeeded() || one.list) continue;
            if (one.kind == HandleKind::Message && is_null_or_wrong(value.number, kMessage))
                return true;
            if (one.kind == HandleKind::Datatype && !communicates() &&
                is_null_or_wrong(value.number, kDatatype))
                return true;
        }
        return false;
    }

    bool group_handle(const model::Value& value) {
        if (value.list.size() != 1) return false;
        const std::int64_t given = value.list[0];
        if (given == model::kNullGroup) return is_null_or_wrong(model::kNullHandle, kGroup);
        return given == model::kInvalidHandle && is_null_or_wrong(given, kGroup);
    }

    bool definition() {
        if (view_.local.definition == DefinitionRule::FreedMemory) {
            const model::Value* const base = view_.named("base");
            result_.made = base == nullptr ? nullptr : handles_.window_at(base->number);
            return result_.made != nullptr && invalid("the memory of a window that still exists");
        }
        std::string wrong = wrong_definition(view_, shape_, execution_);
        if (wrong.empty()) wrong = misfit(view_, handles_, signatures_, execution_, result_.made);
        return !wrong.empty() && invalid(std::move(wrong));
    }

    /// A list of counts, where each peer needs one.
    bool missing_counts(Role role, std::string_view what) {
        const model::Value* const value = view_.in(role);
        return value != nullptr && shape_.size > 0 && value->list.empty() &&
               view_.local.procedure->parameters[index_of(role)].kind == ParameterKind::CountList &&
               view_.local.buffers != BufferRule::NeighborAllgather &&
               view_.local.buffers != BufferRule::NeighborAlltoall &&
               invalid("a null pointer as " + std::string{what});
    }

    bool operator_handle() {
        const model::Value* const value = view_.in(Role::Operator);
        return value != nullptr && is_null_or_wrong(value->number, kOperator);
    }

    bool request_handle() {
        using enum RequestAction;
        const RequestAction action = view_.local.requests;
        if (action == None) return false;
        const bool needs_one = action == Start || action == Startall || action == Free ||
                               action == Cancel || action == Partition;
        const auto wrong = [&](std::int64_t id) {
            return id == model::kNullHandle && needs_one &&
                   invalid("MPI_REQUEST_NULL where it needs a request");
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
        if (value == nullptr || is_always_a_tag(value->number)) return false;
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
        if (sends() && (count(Role::SendCount, "send count") ||
                        missing_counts(Role::SendCount, "send counts")))
            return true;
        if (receives() && (count(Role::ReceiveCount, "receive count") ||
                           missing_counts(Role::ReceiveCount, "receive counts")))
            return true;
        return count(Role::TargetCount, "target count") ||
               count(Role::Partitions, "number of partitions");
    }

    bool datatype(Role role) {
        const model::Value* const value = view_.in(role);
        if (value == nullptr) return false;
        const auto wrong = [&](std::int64_t id) {
            if (is_null_or_wrong(id, kDatatype)) return true;
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
        return static_cast<std::size_t>(model::subscript_of(*view_.local.procedure, role));
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
        const auto given = [this](Role role) { return view_.number(role) == model::kInPlace; };
        if (given(Role::Buffer) ||
            (rule == SendReceive && (given(Role::SendBuffer) || given(Role::ReceiveBuffer))))
            return invalid("MPI_IN_PLACE as buffer, which it has no use for");
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
        const auto null = std::find_if(accesses_.begin(), accesses_.end(), is_in_first_page);
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
               (target_place(*found, members[static_cast<std::size_t>(rank->number)]) ||
                target_type());
    }

    /// What is transferred must fit as a message must (MPI 4.0, 12.3).
    bool target_type() {
        if (view_.in(Role::TargetCount) == nullptr || ignores_origin(view_, execution_))
            return false;
        const auto type = [this](Role role) {
            const std::int64_t id = view_.number(role, model::kNullHandle);
            return model::DatatypeId{id < 0 || id > INT32_MAX ? -1 : static_cast<int>(id)};
        };
        model::DatatypeId from = type(Role::Datatype);
        model::DatatypeId into = type(Role::TargetDatatype);
        std::int64_t sent = view_.number(Role::Count);
        std::int64_t received = view_.number(Role::TargetCount);
        if (view_.local.buffers == BufferRule::Get) {
            std::swap(from, into);
            std::swap(sent, received);
        }
        const Fit fit = signatures_.fit(from, sent, into, received);
        switch (fit) {
            case Fit::Different:
                result_.finding_class = FindingClass::WrongDataType;
                break;
            case Fit::Longer:
                result_.finding_class = FindingClass::WrongSendSize;
                break;
            case Fit::Shorter:
                // Allowed, but one call says both: a slip, at which libraries are known to fail.
                if (sent == 0) return false;
                result_.finding_class = FindingClass::IncorrectSendSize;
                result_.severity = Severity::Warning;
                break;
            case Fit::Equal:
            case Fit::Unknown:
                return false;
        }
        result_.message = view_.name() +
                          ": what the origin and the target describe does not fit: " +
                          signatures_.difference(from, sent, into, received) + ".";
        return true;
    }

    bool target_place(const model::RecordedWindow& found, model::ProcessId process) {
        const std::int64_t displacement = view_.number(Role::TargetDisplacement);
        if (found.is_dynamic()) return false;
        const model::RecordedWindow::Part* const part = found.part_of(process);
        if (part == nullptr) return false;
        const bool counted = view_.in(Role::TargetCount) != nullptr;
        const std::int64_t type =
            view_.number(counted ? Role::TargetDatatype : Role::Datatype, model::kNullHandle);
        const auto start = checked_product(displacement, part->displacement_unit);
        if (!start || type < 0 || type > INT32_MAX) return false;
        const auto hull = footprints_.hull(*start,
                                           counted ? view_.number(Role::TargetCount) : 1,
                                           model::DatatypeId{static_cast<int>(type)});
        if (!hull || hull->empty() || (hull->low >= 0 && hull->high <= part->bytes)) return false;
        const auto base = static_cast<std::int64_t>(part->base);
        const auto low = checked_sum(base, hull->low);
        const auto high = checked_sum(base, hull->high);
        if (base > 0 && low && high) result_.reaches = Memory{process, *low, *high};
        return invalid("a target that reaches from byte " + text(hull->low) + " to byte " +
                       text(hull->high - 1) + " of the target's window, which has " +
                       text(part->bytes) + " bytes");
    }

    bool operation() {
        const std::int64_t op = view_.number(Role::Operator, model::kNullHandle);
        const std::int64_t type = view_.number(Role::Datatype, model::kNullHandle);
        const bool accumulates = view_.local.buffers == BufferRule::Accumulate ||
                                 view_.local.buffers == BufferRule::GetAccumulate ||
                                 view_.local.buffers == BufferRule::FetchAndOp;
        const bool reduces = view_.local.buffers >= BufferRule::Reduce &&
                             view_.local.buffers <= BufferRule::ReduceLocal;
        if ((!reduces && !accumulates) || op < 0 || type < 0) return false;
        const auto op_at = static_cast<std::size_t>(op);
        const auto type_at = static_cast<std::size_t>(type);
        if (op_at >= execution_.operators.size() || type_at >= execution_.datatypes.size())
            return false;
        const model::RecordedDatatype& reduced = execution_.datatypes[type_at];
        const model::RecordedOperator& with = execution_.operators[op_at];
        if (accumulates && with.name.empty())
            return invalid("an operator of the program's own, where only MPI's are allowed");
        const bool only_accumulates = with.name == "MPI_REPLACE" || with.name == "MPI_NO_OP";
        if (reduces && only_accumulates) {
            return invalid("the operator " + with.name +
                           ", which is for one-sided communication only");
        }
        // Accumulating is done element by element: a derived datatype is as good as its elements.
        if (accumulates && !is_basic(reduced)) return false;
        const Reduction verdict = reduction(with, reduced);
        if (verdict == Reduction::Allowed || verdict == Reduction::Unknown) return false;
        // Some libraries reduce more than the standard asks for.
        if ((reduces || verdict == Reduction::Doubtful) && view_.succeeded())
            result_.severity = Severity::Warning;
        const std::string name =
            is_basic(reduced) && !reduced.name.empty() ? reduced.name : "a derived datatype";
        return invalid("the operator " + with.name + ", which is not defined for " + name);
    }

    const CallView& view_;
    const CommunicatorShape& shape_;
    const model::Execution& execution_;
    const Footprints& footprints_;
    const TypeSignatures& signatures_;
    const Handles& handles_;
    const std::vector<Access>& accesses_;
    InvalidArgument result_;
};

}  // namespace

InvalidArgument check_arguments(const CallView& view,
                                const CommunicatorShape& shape,
                                const model::Execution& execution,
                                const Footprints& footprints,
                                const TypeSignatures& signatures,
                                const Handles& handles,
                                const std::vector<Access>& accesses) {
    return ArgumentCheck(view, shape, execution, footprints, signatures, handles, accesses).check();
}

}  // namespace mqinspect::analysis
