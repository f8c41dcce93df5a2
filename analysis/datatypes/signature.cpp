#include "analysis/datatypes/signature.h"

#include <algorithm>
#include <array>
#include <optional>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

namespace {

// Hashes are polynomials modulo a Mersenne prime: that of a sequence is hash(left) * base^
// elements(right) + hash(right), so that repeated squaring gives that of any number of copies.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;
constexpr std::uint64_t kBase = 0x0f4a'7c15'9e37'79b9;

__extension__ using Wide = unsigned __int128;

std::uint64_t multiply(std::uint64_t left, std::uint64_t right) {
    const Wide product = static_cast<Wide>(left) * right;
    const std::uint64_t sum =
        (static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61U);
    return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t add(std::uint64_t left, std::uint64_t right) {
    const std::uint64_t sum = left + right;
    return sum >= kPrime ? sum - kPrime : sum;
}

Signature unknown() {
    Signature result;
    result.known = false;
    return result;
}

/// The one, then the other.
Signature joined(const Signature& left, const Signature& right) {
    const auto elements = checked_sum(left.elements, right.elements);
    const auto bytes = checked_sum(left.bytes, right.bytes);
    if (!left.known || !right.known || !elements || !bytes) return unknown();
    return {true,
            left.packed || right.packed,
            add(multiply(left.hash, right.power), right.hash),
            multiply(left.power, right.power),
            *elements,
            *bytes};
}

Signature repeated(const Signature& one, std::int64_t count) {
    if (count < 0 || !one.known) return unknown();
    const auto elements = checked_product(one.elements, count);
    const auto bytes = checked_product(one.bytes, count);
    if (!elements || !bytes) return unknown();
    // Within the product no square that is still needed overflows; one too many might.
    Signature result;
    Signature square = one;
    for (auto left = static_cast<std::uint64_t>(count);;) {
        if ((left & 1U) != 0) result = joined(result, square);
        left >>= 1U;
        if (left == 0) return result;
        square = joined(square, square);
    }
}

/// Of one basic datatype that is known by this text.
Signature of_text(std::string_view name, std::int64_t bytes) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100'0000'01b3;
    // Spreads the last letters, too, over all bits.
    hash = (hash ^ (hash >> 32U)) * 0xd6e8'feb8'6659'fd93;
    hash ^= hash >> 32U;
    return {true, name == "MPI_PACKED", hash % kPrime, kBase, 1, std::max<std::int64_t>(bytes, 0)};
}

struct Alias {
    std::string_view name;
    std::int64_t bytes;  ///< 0: whatever its size is
    std::string_view usual;
};

// What the compilers of this machine make of the types without a size: int32_t is int, and int64_t
// long; MPI_REAL is MPI_REAL8 where the program was compiled so.
constexpr std::array kAliases{Alias{"MPI_LONG_LONG", 0, "MPI_LONG_LONG_INT"},
                              Alias{"MPI_C_FLOAT_COMPLEX", 0, "MPI_C_COMPLEX"},
                              Alias{"MPI_INTEGER", 4, "MPI_INTEGER4"},
                              Alias{"MPI_INTEGER", 8, "MPI_INTEGER8"},
                              Alias{"MPI_REAL", 4, "MPI_REAL4"},
                              Alias{"MPI_REAL", 8, "MPI_REAL8"},
                              Alias{"MPI_DOUBLE_PRECISION", 8, "MPI_REAL8"},
                              Alias{"MPI_DOUBLE_PRECISION", 16, "MPI_REAL16"},
                              Alias{"MPI_COMPLEX", 8, "MPI_COMPLEX8"},
                              Alias{"MPI_COMPLEX", 16, "MPI_COMPLEX16"},
                              Alias{"MPI_DOUBLE_COMPLEX", 16, "MPI_COMPLEX16"},
                              Alias{"MPI_DOUBLE_COMPLEX", 32, "MPI_COMPLEX32"},
                              Alias{"MPI_SIGNED_CHAR", 1, "MPI_INT8_T"},
                              Alias{"MPI_UNSIGNED_CHAR", 1, "MPI_UINT8_T"},
                              Alias{"MPI_SHORT", 2, "MPI_INT16_T"},
                              Alias{"MPI_UNSIGNED_SHORT", 2, "MPI_UINT16_T"},
                              Alias{"MPI_INT", 4, "MPI_INT32_T"},
                              Alias{"MPI_UNSIGNED", 4, "MPI_UINT32_T"},
                              Alias{"MPI_LONG", 8, "MPI_INT64_T"},
                              Alias{"MPI_UNSIGNED_LONG", 8, "MPI_UINT64_T"}};

/// The name that stands for all names of a datatype of this size.
std::string_view usual_name(std::string_view name, std::int64_t bytes) {
    for (const Alias& alias : kAliases)
        if (alias.name == name && (alias.bytes == 0 || alias.bytes == bytes)) return alias.usual;
    return name;
}

/// Of one basic datatype that has this name, or these numbers.
Signature basic(std::string_view name, std::int64_t bytes) {
    return of_text(usual_name(name, bytes), bytes);
}

struct Pair {
    std::string_view name;
    std::string_view first;
    std::string_view second;
    std::int64_t first_bytes;
};

// MPI 4.0, 6.9.4.
constexpr std::array kPairs{
    Pair{"MPI_FLOAT_INT", "MPI_FLOAT", "MPI_INT", 4},
    Pair{"MPI_DOUBLE_INT", "MPI_DOUBLE", "MPI_INT", 8},
    Pair{"MPI_LONG_INT", "MPI_LONG", "MPI_INT", 8},
    Pair{"MPI_2INT", "MPI_INT", "MPI_INT", 4},
    Pair{"MPI_SHORT_INT", "MPI_SHORT", "MPI_INT", 2},
    Pair{"MPI_LONG_DOUBLE_INT", "MPI_LONG_DOUBLE", "MPI_INT", 16},
    Pair{"MPI_2REAL", "MPI_REAL", "MPI_REAL", 4},
    Pair{"MPI_2DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION", 8},
    Pair{"MPI_2INTEGER", "MPI_INTEGER", "MPI_INTEGER", 4}};

const Pair* find_pair(std::string_view name) {
    const auto found = std::find_if(
        kPairs.begin(), kPairs.end(), [name](const Pair& pair) { return pair.name == name; });
    return found == kPairs.end() ? nullptr : &*found;
}

/// What identifies a basic datatype; empty: nothing does.
std::string basic_name(const model::RecordedDatatype& type) {
    if (type.combiner == "MPI_COMBINER_NAMED") return type.name;
    std::string result = type.combiner + "(";
    for (const std::int64_t number : type.integers)
        result += std::to_string(number) + ",";
    result.back() = ')';
    return result;
}

}  // namespace

TypeSignatures::TypeSignatures(const model::Execution& execution)
    : execution_(execution), types_(execution.datatypes.size()) {
    enum class State : std::uint8_t { New, Open, Done };
    std::vector<State> states(types_.size(), State::New);
    struct Visit {
        model::DatatypeId id;
        std::optional<TypeContents> contents;
    };
    // Parts before wholes, without recursion: nobody limits how deep a program nests its types.
    std::vector<Visit> open;
    const std::vector<Part> none;
    for (std::size_t i = 0; i < types_.size(); ++i) {
        if (states[i] == State::New) open.push_back({model::DatatypeId{static_cast<int>(i)}, {}});
        while (!open.empty()) {
            Visit& visit = open.back();
            State& state = states[visit.id.index()];
            if (state == State::New) {
                state = State::Open;
                visit.contents = contents_of(execution_, visit.id);
                // A part that is open contains this one: its signature stays unknown.
                std::vector<model::DatatypeId> missing;
                for (const Part& part : visit.contents ? visit.contents->parts : none) {
                    if (states[part.type.index()] == State::New &&
                        (missing.empty() || missing.back() != part.type))
                        missing.push_back(part.type);
                }
                for (const model::DatatypeId id : missing)
                    open.push_back({id, {}});
                if (!missing.empty()) continue;
            }
            if (state == State::Open) {
                define(visit.id, visit.contents ? &*visit.contents : nullptr);
                state = State::Done;
            }
            open.pop_back();
        }
    }
}

void TypeSignatures::define_basic(const model::RecordedDatatype& type, Type& result) const {
    result.kind = Type::Kind::Basic;
    const std::string name = basic_name(type);
    if (name.empty()) {
        result.kind = Type::Kind::Unknown;
        result.signature = unknown();
    } else if (const Pair* pair = find_pair(name)) {
        result.signature = joined(basic(pair->first, pair->first_bytes),
                                  basic(pair->second, type.size - pair->first_bytes));
    } else if (name != "MPI_LB" && name != "MPI_UB") {
        result.signature = basic(name, type.size);
    }
}

void TypeSignatures::define(model::DatatypeId id, const TypeContents* contents) {
    Type& result = types_[id.index()];
    const model::RecordedDatatype& type = execution_.datatypes[id.index()];
    if (is_basic(type)) return define_basic(type, result);
    result.signature = unknown();
    if (contents == nullptr) return;
    const bool uniform =
        std::all_of(contents->parts.begin(), contents->parts.end(), [&](const Part& part) {
            return part.type == contents->parts.front().type;
        });
    Signature whole;
    std::int64_t copies = 0;
    for (const Part& part : contents->parts) {
        const Type& child = types_[part.type.index()];
        // A type in itself is not yet defined.
        if (child.kind == Type::Kind::Unknown) return;
        const auto sum = checked_sum(copies, part.copies);
        if (!sum) return;
        copies = *sum;
        if (!uniform) whole = joined(whole, repeated(child.signature, part.copies));
    }
    if (uniform && !contents->parts.empty()) {
        result.child = contents->parts.front().type;
        result.copies = copies;
        whole = repeated(types_[result.child.index()].signature, copies);
    }
    if (!whole.known) return;
    result.kind = uniform && !contents->parts.empty() ? Type::Kind::Uniform : Type::Kind::Structure;
    result.signature = whole;
}

const TypeSignatures::Type* TypeSignatures::find(model::DatatypeId id) const {
    if (id.value < 0 || id.index() >= types_.size()) return nullptr;
    const Type& type = types_[id.index()];
    return type.kind == Type::Kind::Unknown ? nullptr : &type;
}

Signature TypeSignatures::of(model::DatatypeId type, std::int64_t count) const {
    const Type* const found = find(type);
    return found == nullptr ? unknown() : repeated(found->signature, count);
}

Signature TypeSignatures::prefix(model::DatatypeId type,
                                 std::int64_t count,
                                 std::int64_t elements) const {
    Signature result;
    while (const Type* const at = find(type)) {
        if (at->signature.elements == 0) return result;
        const std::int64_t whole = std::min(count, elements / at->signature.elements);
        result = joined(result, repeated(at->signature, whole));
        elements -= whole * at->signature.elements;
        if (elements == 0 || whole == count) return result;
        if (at->kind == Type::Kind::Basic) {
            // The first of a pair.
            const Pair* const pair = find_pair(execution_.datatypes[type.index()].name);
            return pair ? joined(result, basic(pair->first, pair->first_bytes)) : unknown();
        }
        if (at->kind == Type::Kind::Uniform) {
            type = at->child;
            count = at->copies;
            continue;
        }
        const auto contents = contents_of(execution_, type);
        if (!contents) return unknown();
        for (const Part& part : contents->parts) {
            type = part.type;
            count = part.copies;
            const Signature all = repeated(types_[type.index()].signature, count);
            if (all.elements > elements) break;
            result = joined(result, all);
            elements -= all.elements;
        }
        if (elements == 0) return result;
    }
    return unknown();
}

Fit TypeSignatures::fit(model::DatatypeId send_type,
                        std::int64_t send_count,
                        model::DatatypeId receive_type,
                        std::int64_t receive_count) const {
    const Type* const send = find(send_type);
    const Type* const receive = find(receive_type);
    if (send == nullptr || receive == nullptr || send_count < 0 || receive_count < 0)
        return Fit::Unknown;
    const auto compare = [](std::int64_t sent, std::int64_t room) {
        return sent == room ? Fit::Equal : sent < room ? Fit::Shorter : Fit::Longer;
    };
    if (send_type == receive_type && send->signature.elements > 0)
        return compare(send_count, receive_count);
    const Signature sent = repeated(send->signature, send_count);
    const Signature room = repeated(receive->signature, receive_count);
    if (!sent.known || !room.known) return Fit::Unknown;
    if (sent.packed || room.packed) return compare(sent.bytes, room.bytes);
    if (sent.elements == room.elements) return sent == room ? Fit::Equal : Fit::Different;
    const bool shorter = sent.elements < room.elements;
    const Signature beginning = shorter ? prefix(receive_type, receive_count, sent.elements)
                                        : prefix(send_type, send_count, room.elements);
    if (!beginning.known) return Fit::Unknown;
    if (!(beginning == (shorter ? sent : room))) return Fit::Different;
    return shorter ? Fit::Shorter : Fit::Longer;
}

std::string TypeSignatures::element_name(model::DatatypeId type, std::int64_t index) const {
    while (const Type* const at = find(type)) {
        if (at->signature.elements == 0) break;
        index %= at->signature.elements;
        if (at->kind == Type::Kind::Basic) {
            const model::RecordedDatatype& basic_type = execution_.datatypes[type.index()];
            if (const Pair* pair = find_pair(basic_type.name))
                return std::string{index == 0 ? pair->first : pair->second};
            return basic_type.name.empty() ? basic_name(basic_type) : basic_type.name;
        }
        if (at->kind == Type::Kind::Uniform) {
            type = at->child;
            continue;
        }
        const auto contents = contents_of(execution_, type);
        if (!contents) break;
        for (const Part& part : contents->parts) {
            type = part.type;
            const std::int64_t elements = types_[type.index()].signature.elements * part.copies;
            if (index < elements) break;
            index -= elements;
        }
    }
    return "an unknown datatype";
}

std::string TypeSignatures::difference(model::DatatypeId send_type,
                                       std::int64_t send_count,
                                       model::DatatypeId receive_type,
                                       std::int64_t receive_count) const {
    const Fit verdict = fit(send_type, send_count, receive_type, receive_count);
    if (verdict == Fit::Equal || verdict == Fit::Unknown) return {};
    const Signature sent = of(send_type, send_count);
    const Signature room = of(receive_type, receive_count);
    if (verdict != Fit::Different) {
        if (sent.packed || room.packed) {
            return std::to_string(sent.bytes) + " bytes sent, " + std::to_string(room.bytes) +
                   " received";
        }
        return std::to_string(sent.elements) + " elements sent, " + std::to_string(room.elements) +
               " received";
    }
    // The beginnings agree up to the first difference and nowhere behind it.
    std::int64_t equal = 0;
    std::int64_t different = std::min(sent.elements, room.elements);
    while (different - equal > 1) {
        const std::int64_t middle = equal + (different - equal) / 2;
        const bool same =
            prefix(send_type, send_count, middle) == prefix(receive_type, receive_count, middle);
        (same ? equal : different) = middle;
    }
    const std::string sent_name = element_name(send_type, equal);
    const std::string room_name = element_name(receive_type, equal);
    const std::string names = sent_name + " sent, " + room_name + " received";
    return equal == 0 ? names : "element " + std::to_string(equal) + ": " + names;
}

std::string TypeSignatures::describe(model::DatatypeId type, std::int64_t count) const {
    if (type.value < 0 || type.index() >= execution_.datatypes.size())
        return std::to_string(count) + " of an unknown datatype";
    const model::RecordedDatatype& found = execution_.datatypes[type.index()];
    if (!found.name.empty()) return std::to_string(count) + " " + found.name;
    constexpr std::string_view prefix_of_all = "MPI_COMBINER_";
    if (!found.combiner.starts_with(prefix_of_all))
        return std::to_string(count) + " of an unknown datatype";
    std::string kind = found.combiner.substr(prefix_of_all.size());
    std::transform(kind.begin(), kind.end(), kind.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
               : letter == '_'                ? ' '
                                              : letter;
    });
    return std::to_string(count) + " of a derived datatype (" + kind + ")";
}

}  // namespace mqinspect::analysis
