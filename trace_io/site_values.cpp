#include "trace_io/site_values.h"

#include <algorithm>
#include <bit>

namespace mqinspect::trace_io {
namespace {

constexpr std::size_t kLastBit = 63;

std::int64_t sum(std::int64_t value, std::int64_t difference) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) +
                                     static_cast<std::uint64_t>(difference));
}

}  // namespace

Coding coding_of(const model::Procedure& procedure, std::int32_t number) {
    Coding coding;
    coding.known = number >= 0;
    coding.procedure = model::ProcedureId(number);
    coding.parameters = procedure.parameters.size();
    coding.leave.push_back({-1, model::ParameterKind::Other, false});
    std::int16_t at = 0;
    for (const model::Parameter& parameter : procedure.parameters) {
        const CodedValue value{at++, parameter.kind, model::is_list(parameter.kind)};
        if (parameter.direction != model::Direction::Out) coding.enter.push_back(value);
        if (parameter.direction != model::Direction::In) coding.leave.push_back(value);
    }
    return coding;
}

bool Site::show_number(const Translation& translation, std::size_t at) {
    const CodedValue& coded = (*values_)[at];
    std::int64_t value = raw_[at];
    if (coded.parameter < 0) {
        error_code_ = value;
        return true;
    }
    const bool defined = is_the_same(coded.kind) || translate(translation, coded.kind, value);
    shown_[static_cast<std::size_t>(coded.parameter)].number = value;
    return defined;
}

bool Site::read_list(ByteReader& reader, const Translation& translation, std::size_t at) {
    const CodedValue& coded = (*values_)[at];
    const std::size_t length = reader.length();
    if (wanted_ == Wanted::NoLists && !names_definitions(coded.kind)) {
        reader.skip_varints(length);
        return true;
    }
    std::vector<std::int64_t>& list = lists_[at];
    list.resize(length);
    reader.differences(list);
    const bool defined = translate(translation, coded.kind, std::span(list));
    shown_[static_cast<std::size_t>(coded.parameter)].list = list;
    return defined;
}

bool Site::read_value(ByteReader& reader, const Translation& translation, std::size_t at) {
    if ((*values_)[at].list) return read_list(reader, translation, at);
    raw_[at] = sum(raw_[at], reader.number());
    return show_number(translation, at);
}

void Site::forget() {
    std::ranges::fill(raw_, 0);
    for (std::size_t at = 0; at < values_->size(); ++at) {
        lists_[at].clear();
        const CodedValue& coded = (*values_)[at];
        if (coded.list) shown_[static_cast<std::size_t>(coded.parameter)].list = {};
    }
}

// Of a block's first record; later ones have had them shown before.
bool Site::show_unchanged(const Translation& translation, std::uint64_t changed) {
    bool defined = true;
    for (std::size_t at = 0; at < values_->size(); ++at) {
        const bool coming = ((changed >> std::min(at, kLastBit)) & 1U) != 0;
        if (!coming && !(*values_)[at].list) defined = show_number(translation, at) && defined;
    }
    return defined;
}

Site::Outcome Site::read(ByteReader& reader, const Translation& translation, std::uint64_t block) {
    const std::size_t count = values_->size();
    const bool first = block_ != block;
    if (first) {
        block_ = block;
        forget();
    }
    std::uint64_t changed = reader.varint();
    const std::uint64_t possible =
        count > kLastBit ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    if ((changed & ~possible) != 0) reader.fail();
    bool defined = !first || show_unchanged(translation, changed);
    const bool many = (changed >> kLastBit) != 0;
    changed &= ~(std::uint64_t{1} << kLastBit);
    for (; changed != 0 && reader.ok(); changed &= changed - 1) {
        const auto at = static_cast<std::size_t>(std::countr_zero(changed));
        defined = read_value(reader, translation, at) && defined;
    }
    for (std::size_t at = kLastBit; many && at < count && reader.ok(); ++at)
        defined = read_value(reader, translation, at) && defined;
    if (!reader.ok()) return Outcome::Damaged;
    return defined ? Outcome::Read : Outcome::Undefined;
}

}  // namespace mqinspect::trace_io
