#include "trace_io/translation.h"

namespace mqinspect::trace_io {
namespace {

void translate_status(const Translation::Constants& constants, std::span<std::int64_t> status) {
    for (std::size_t field = 0; field < status.size(); ++field) {
        std::int64_t& value = status[field];
        if (field == 0) {
            value = constants.rank(value);
        } else if (field == 1) {
            value = constants.tag(value);
        } else if (value == constants.undefined) {
            value = model::kUndefined;
        }
    }
}

bool any_negative(std::span<const std::int64_t> list) {
    std::int64_t bits = 0;
    for (const std::int64_t value : list)
        bits |= value;
    return bits < 0;
}

void translate_statuses(const Translation::Constants& constants, std::span<std::int64_t> list) {
    // What has a meaning of its own is negative in most libraries, and rare.
    if (constants.undefined < 0 && !any_negative(list)) return;
    for (; list.size() >= model::kStatusValues; list = list.subspan(model::kStatusValues))
        translate_status(constants, list.first<model::kStatusValues>());
    translate_status(constants, list);
}

std::int64_t member_of(const Translation& translation, std::int64_t value) {
    return value >= 0 && value < translation.world_size ? value + translation.first_of_world
                                                        : value;
}

}  // namespace

bool translate(const Translation& translation,
               model::ParameterKind kind,
               std::span<std::int64_t> list) {
    using model::ParameterKind;
    bool defined = true;
    switch (kind) {
        case ParameterKind::DatatypeList:
            for (std::int64_t& value : list)
                defined = renumber(translation.datatypes, value) && defined;
            break;
        case ParameterKind::RankList:
            for (std::int64_t& value : list)
                value = translation.constants.rank(value);
            break;
        case ParameterKind::Status:
        case ParameterKind::StatusList:
            translate_statuses(translation.constants, list);
            break;
        case ParameterKind::Group:
            for (std::int64_t& value : list)
                value = member_of(translation, value);
            break;
        default:
            break;
    }
    return defined;
}

}  // namespace mqinspect::trace_io
