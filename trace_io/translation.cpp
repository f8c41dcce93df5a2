#include "trace_io/translation.h"

namespace mqinspect::trace_io {
namespace {

using model::ParameterKind;

bool look_up(const Numbering& numbering, std::int64_t& value) {
    if (value == model::kNullHandle || value == model::kInvalidHandle) return true;
    if (value < 0 || static_cast<std::size_t>(value) >= numbering.size()) return false;
    value = numbering[static_cast<std::size_t>(value)];
    return value >= 0;
}

std::int64_t rank_of(const Translation::Constants& constants, std::int64_t value) {
    if (value >= 0) return value;
    if (value == constants.proc_null) return model::kProcNull;
    if (value == constants.any_source) return model::kAnySource;
    if (value == constants.root) return model::kRoot;
    // An invalid rank that happens to be one of our numbers would pass for it.
    constexpr std::int64_t out_of_the_way = -1000;
    return value >= model::kRoot ? value + out_of_the_way : value;
}

std::int64_t tag_of(const Translation::Constants& constants, std::int64_t value) {
    if (value >= 0) return value;
    if (value == constants.any_tag) return model::kAnyTag;
    return value == model::kAnyTag ? INT32_MIN : value;
}

std::int64_t address_of(const Translation::Constants& constants, std::int64_t value) {
    if (value == constants.in_place) return model::kInPlace;
    if (value == constants.bottom) return model::kBottom;
    return value;
}

void translate_statuses(const Translation::Constants& constants, std::span<std::int64_t> list) {
    for (std::size_t at = 0; at < list.size(); ++at) {
        const std::size_t field = at % model::kStatusValues;
        if (field == 0) {
            list[at] = rank_of(constants, list[at]);
        } else if (field == 1) {
            list[at] = tag_of(constants, list[at]);
        } else if (list[at] == constants.undefined) {
            list[at] = model::kUndefined;
        }
    }
}

std::int64_t member_of(const Translation& translation, std::int64_t value) {
    return value >= 0 && value < translation.world_size ? value + translation.first_of_world
                                                        : value;
}

}  // namespace

bool translate(const Translation& translation, ParameterKind kind, std::int64_t& value) {
    switch (kind) {
        case ParameterKind::Communicator:
            return look_up(translation.communicators, value);
        case ParameterKind::Datatype:
            return look_up(translation.datatypes, value);
        case ParameterKind::Operator:
            return look_up(translation.operators, value);
        case ParameterKind::Window:
            return look_up(translation.windows, value);
        case ParameterKind::File:
            return look_up(translation.files, value);
        case ParameterKind::Text:
            return look_up(translation.texts, value);
        case ParameterKind::Rank:
            value = rank_of(translation.constants, value);
            return true;
        case ParameterKind::Tag:
            value = tag_of(translation.constants, value);
            return true;
        case ParameterKind::Buffer:
            value = address_of(translation.constants, value);
            return true;
        case ParameterKind::Integer:
        case ParameterKind::Count:
            if (value == translation.constants.undefined) value = model::kUndefined;
            return true;
        default:
            return true;
    }
}

bool translate(const Translation& translation, ParameterKind kind, std::span<std::int64_t> list) {
    bool defined = true;
    switch (kind) {
        case ParameterKind::DatatypeList:
            for (std::int64_t& value : list)
                defined = look_up(translation.datatypes, value) && defined;
            break;
        case ParameterKind::RankList:
            for (std::int64_t& value : list)
                value = rank_of(translation.constants, value);
            break;
        case ParameterKind::Status:
        case ParameterKind::StatusList:
            translate_statuses(translation.constants, list);
            break;
        case ParameterKind::Group:
            for (std::int64_t& value : list)
                value = member_of(translation, value);
            break;
        case ParameterKind::IntegerList:
            if (!list.empty() && list[0] == translation.constants.unweighted)
                list[0] = model::kUnweighted;
            break;
        default:
            break;
    }
    return defined;
}

}  // namespace mqinspect::trace_io
