#include "trace_io/site_values.h"

#include <algorithm>
#include <bit>

namespace mqinspect::trace_io {
namespace {

using model::ParameterKind;

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
    coding.parameters = static_cast<std::uint32_t>(procedure.parameters.size());
    coding.leave.push_back({coding.parameters, ParameterKind::Other});
    for (std::uint32_t at = 0; at < coding.parameters; ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        const CodedValue value{at, parameter.kind};
        if (parameter.direction != model::Direction::Out) coding.enter.push_back(value);
        if (parameter.direction != model::Direction::In) coding.leave.push_back(value);
    }
    return coding;
}

Site::Decoding Site::decoding_of(ParameterKind kind, Wanted wanted) {
    const bool passed = wanted == Wanted::Nothing && !names_definitions(kind);
    if (model::is_list(kind)) return passed ? Decoding::PassedList : Decoding::List;
    if (passed) return Decoding::PassedNumber;
    return is_the_same(kind) ? Decoding::Number : Decoding::Translated;
}

Site::Site(const std::vector<CodedValue>& values, std::size_t parameters, Wanted wanted)
    : lists_(values.size()),
      shown_(parameters + 1),
      possible_(values.size() > kLastBit ? ~std::uint64_t{0}
                                         : (std::uint64_t{1} << values.size()) - 1) {
    slots_.reserve(values.size());
    for (const CodedValue& value : values)
        slots_.push_back({0, value.parameter, value.kind, decoding_of(value.kind, wanted)});
}

bool Site::read_list(ByteReader& reader, const Translation& translation, std::size_t at) {
    std::vector<std::int64_t>& list = lists_[at];
    list.resize(reader.length());
    reader.differences(list);
    shown_[slots_[at].parameter].list = list;
    return translate(translation, slots_[at].kind, std::span(list));
}

[[gnu::always_inline]] inline bool Site::read_value(ByteReader& reader,
                                                    const Translation& translation,
                                                    std::size_t at) {
    Slot& slot = slots_[at];
    switch (slot.decoding) {
        case Decoding::Number:
            slot.before = sum(slot.before, reader.number());
            shown_[slot.parameter].number = slot.before;
            return true;
        case Decoding::Translated: {
            slot.before = sum(slot.before, reader.number());
            std::int64_t& shown = shown_[slot.parameter].number;
            shown = slot.before;
            return translate(translation, slot.kind, shown);
        }
        case Decoding::PassedNumber:
            reader.varint();
            return true;
        case Decoding::PassedList:
            reader.skip_varints(reader.length());
            return true;
        case Decoding::List:
            break;
    }
    return read_list(reader, translation, at);
}

// All is 0 and empty again. Shows what the first record does not bring; later ones have had it
// shown before.
bool Site::begin_block(const Translation& translation, std::uint64_t coming) {
    bool defined = true;
    for (std::size_t at = 0; at < slots_.size(); ++at) {
        Slot& slot = slots_[at];
        slot.before = 0;
        if (slot.decoding == Decoding::List) shown_[slot.parameter].list = {};
        if (slot.decoding != Decoding::Number && slot.decoding != Decoding::Translated) continue;
        if (((coming >> std::min(at, kLastBit)) & 1U) != 0) continue;
        std::int64_t& shown = shown_[slot.parameter].number;
        shown = 0;
        if (slot.decoding == Decoding::Translated)
            defined = translate(translation, slot.kind, shown) && defined;
    }
    return defined;
}

// Behind the values that have bits of their own.
bool Site::read_rest(ByteReader& reader, const Translation& translation) {
    bool defined = true;
    for (std::size_t at = kLastBit; at < slots_.size(); ++at)
        defined = read_value(reader, translation, at) && defined;
    return defined;
}

Site::Outcome Site::read(ByteReader& reader, const Translation& translation, std::uint64_t block) {
    std::uint64_t changed = reader.varint();
    if ((changed & ~possible_) != 0) return Outcome::Damaged;
    bool defined = true;
    if (block_ != block) {
        block_ = block;
        defined = begin_block(translation, changed);
    }
    for (; changed != 0; changed &= changed - 1) {
        const auto at = static_cast<std::size_t>(std::countr_zero(changed));
        const bool read =
            at < kLastBit ? read_value(reader, translation, at) : read_rest(reader, translation);
        defined = read && defined;
    }
    if (!reader.ok()) return Outcome::Damaged;
    return defined ? Outcome::Read : Outcome::Undefined;
}

}  // namespace mqinspect::trace_io
