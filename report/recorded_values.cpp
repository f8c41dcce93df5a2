#include "report/recorded_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "report/checked_run.h"

namespace mqinspect::report {
namespace {

using model::Execution;
using model::ParameterKind;

constexpr std::size_t kMostElements = 8;

/// A parameter that is a named constant, or several of them by "or".
struct ConstantFamily {
    std::string_view parameter;
    bool flags = false;
    std::array<std::string_view, 9> names;
};

constexpr ConstantFamily kThreadLevels = {
    "required",
    false,
    {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"}};
constexpr ConstantFamily kConstantFamilies[] = {
    kThreadLevels,
    {"provided", false, kThreadLevels.names},
    {"lock_type", false, {"MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"}},
    {"assert",
     true,
     {"MPI_MODE_NOCHECK",
      "MPI_MODE_NOSTORE",
      "MPI_MODE_NOPUT",
      "MPI_MODE_NOPRECEDE",
      "MPI_MODE_NOSUCCEED"}},
    {"amode",
     true,
     {"MPI_MODE_RDONLY",
      "MPI_MODE_RDWR",
      "MPI_MODE_WRONLY",
      "MPI_MODE_CREATE",
      "MPI_MODE_EXCL",
      "MPI_MODE_DELETE_ON_CLOSE",
      "MPI_MODE_UNIQUE_OPEN",
      "MPI_MODE_SEQUENTIAL",
      "MPI_MODE_APPEND"}},
    {"whence", false, {"MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"}},
    {"order", false, {"MPI_ORDER_C", "MPI_ORDER_FORTRAN"}},
    {"split_type",
     false,
     {"MPI_COMM_TYPE_SHARED", "MPI_COMM_TYPE_HW_UNGUIDED", "MPI_COMM_TYPE_HW_GUIDED"}},
    {"info", false, {"MPI_INFO_NULL", "MPI_INFO_ENV"}},
    {"errhandler",
     false,
     {"MPI_ERRHANDLER_NULL", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_RETURN", "MPI_ERRORS_ABORT"}}};

const ConstantFamily* family_of(const model::Parameter& parameter) {
    if (parameter.kind != ParameterKind::Integer && parameter.kind != ParameterKind::Other)
        return nullptr;
    const auto* const found =
        std::ranges::find(kConstantFamilies, parameter.name, &ConstantFamily::parameter);
    return found == std::end(kConstantFamilies) ? nullptr : found;
}

std::string number_text(std::int64_t value) {
    return value == model::kUndefined ? "MPI_UNDEFINED" : fmt::format("{}", value);
}

/// The numbers are those of the run's MPI library. Empty: none of them.
std::string constant_text(const Execution& execution,
                          const ConstantFamily& family,
                          std::int64_t value) {
    std::string text;
    std::int64_t rest = value;
    for (const std::string_view name : family.names) {
        const auto found = execution.constants.find(name);
        if (found == execution.constants.end()) continue;
        const std::int64_t constant = found->second;
        const bool same =
            family.flags ? constant != 0 && (rest & constant) == constant : constant == value;
        if (!same) continue;
        text += text.empty() ? "" : " | ";
        text += name;
        if (!family.flags) return text;
        rest &= ~constant;
    }
    if (rest == 0 && !text.empty()) return text;
    return text.empty() ? text : fmt::format("{} | {}", text, rest);
}

std::string rank_value(std::int64_t value) {
    switch (value) {
        case model::kProcNull:
            return "MPI_PROC_NULL";
        case model::kAnySource:
            return "MPI_ANY_SOURCE";
        case model::kRoot:
            return "MPI_ROOT";
        default:
            return fmt::format("{}", value);
    }
}

std::string address_text(std::int64_t value) {
    if (value == 0) return "NULL";
    return fmt::format("{:#x}", static_cast<std::uint64_t>(value));
}

/// A distance or a size of type MPI_Aint; some displacements are addresses.
bool is_distance(const model::Parameter& parameter) {
    constexpr std::string_view names[] = {
        "target_disp", "displacement", "stride", "lb", "extent", "true_lb", "true_extent"};
    return parameter.kind == ParameterKind::AddressList ||
           (parameter.kind == ParameterKind::Address &&
            std::ranges::find(names, parameter.name) != std::end(names));
}

std::string distance_text(std::int64_t value) {
    constexpr std::int64_t farthest = std::int64_t{1} << 32;
    return value > -farthest && value < farthest ? fmt::format("{}", value) : address_text(value);
}

std::string buffer_text(std::int64_t value) {
    if (value == model::kInPlace) return "MPI_IN_PLACE";
    return value == model::kBottom ? "MPI_BOTTOM" : address_text(value);
}

std::string datatype_text(const Execution& execution, std::int64_t id) {
    if (!is_subscript(execution.datatypes, id)) return "?";
    const model::RecordedDatatype& datatype = execution.datatypes[static_cast<std::size_t>(id)];
    if (!datatype.name.empty()) return datatype.name;
    std::string_view combiner = datatype.combiner;
    constexpr std::string_view prefix = "MPI_COMBINER_";
    if (combiner.starts_with(prefix)) combiner.remove_prefix(prefix.size());
    std::string word(combiner);
    std::ranges::transform(word, word.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return fmt::format("{} type of {} bytes", word, datatype.size);
}

std::string operator_text(const Execution& execution, std::int64_t id) {
    if (!is_subscript(execution.operators, id)) return "?";
    const model::RecordedOperator& op = execution.operators[static_cast<std::size_t>(id)];
    return op.name.empty() ? "operator " + op.function : op.name;
}

std::string null_text(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::Communicator:
            return "MPI_COMM_NULL";
        case ParameterKind::Datatype:
        case ParameterKind::DatatypeList:
            return "MPI_DATATYPE_NULL";
        case ParameterKind::Operator:
            return "MPI_OP_NULL";
        case ParameterKind::Request:
        case ParameterKind::RequestList:
            return "MPI_REQUEST_NULL";
        case ParameterKind::Window:
            return "MPI_WIN_NULL";
        case ParameterKind::File:
            return "MPI_FILE_NULL";
        case ParameterKind::Message:
            return "MPI_MESSAGE_NULL";
        default:
            return {};
    }
}

// Kinds whose values are numbers of things.
std::string handle_text(const Execution& execution, ParameterKind kind, std::int64_t value) {
    if (value == model::kNullHandle) return null_text(kind);
    if (value == model::kInvalidHandle) return "an invalid handle";
    switch (kind) {
        case ParameterKind::Communicator:
            return is_subscript(execution.communicators, value)
                       ? communicator_text(execution,
                                           model::CommunicatorId(static_cast<int>(value)))
                       : "?";
        case ParameterKind::Datatype:
        case ParameterKind::DatatypeList:
            return datatype_text(execution, value);
        case ParameterKind::Operator:
            return operator_text(execution, value);
        default:
            return fmt::format("#{}", value);
    }
}

std::string element_text(const Execution& execution,
                         const model::Parameter& parameter,
                         std::int64_t value) {
    const ParameterKind kind = parameter.kind;
    if (is_distance(parameter)) return distance_text(value);
    if (const ConstantFamily* const family = family_of(parameter)) {
        std::string text = constant_text(execution, *family, value);
        if (!text.empty()) return text;
    }
    if (!null_text(kind).empty()) return handle_text(execution, kind, value);
    switch (kind) {
        case ParameterKind::Rank:
        case ParameterKind::RankList:
            return rank_value(value);
        case ParameterKind::Tag:
            return value == model::kAnyTag ? "MPI_ANY_TAG" : fmt::format("{}", value);
        case ParameterKind::Buffer:
            return buffer_text(value);
        case ParameterKind::Address:
        case ParameterKind::Other:
        case ParameterKind::Checksum:
        case ParameterKind::ChecksumList:
        case ParameterKind::GroupHandle:
        case ParameterKind::DatatypeHandle:
            return address_text(value);
        case ParameterKind::Text:
            return is_subscript(execution.texts, value)
                       ? '"' + execution.texts[static_cast<std::size_t>(value)] + '"'
                       : "?";
        default:
            return number_text(value);
    }
}

}  // namespace

std::string value_text(const Execution& execution,
                       const model::Parameter& parameter,
                       const std::vector<std::int64_t>& values) {
    if (!model::is_list(parameter.kind)) {
        return values.empty() ? "?" : element_text(execution, parameter, values.front());
    }
    if (parameter.kind == ParameterKind::Group && values.size() == 1) {
        if (values.front() == model::kNullGroup) return "MPI_GROUP_NULL";
        if (values.front() == model::kInvalidHandle) return "an invalid handle";
    }
    std::string text = "[";
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (at == kMostElements) {
            text += ", ...";
            break;
        }
        if (at != 0) text += ", ";
        text += element_text(execution, parameter, values[at]);
    }
    return text + "]";
}

std::string call_text(const Execution& execution, const analysis::KeptCall& call) {
    const model::Procedure& procedure = execution.procedures[call.call.procedure.index()];
    std::string text = procedure.name + "(";
    bool first = true;
    for (std::size_t at = 0; at < procedure.parameters.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (model::is_of_recorder(parameter.kind) || parameter.direction == model::Direction::Out ||
            at >= call.before.size())
            continue;
        if (!first) text += ", ";
        first = false;
        text += parameter.name + "=" + value_text(execution, parameter, call.before[at]);
    }
    return text + ")";
}

}  // namespace mqinspect::report
