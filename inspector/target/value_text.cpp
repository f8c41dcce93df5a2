#include "inspector/target/value_text.h"

#include <algorithm>
#include <cstring>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/quoted_text.h"

namespace mqinspect::target {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxTextBytes = 16384;
constexpr std::size_t kMaxElements = 200;
constexpr std::size_t kMaxCharacters = 200;
/// So many equal elements are written once, as in gdb.
constexpr std::uint64_t kRepeats = 10;
/// An array is looked through so far for equal elements.
constexpr std::uint64_t kMaxArrayBytes = std::uint64_t{1} << 20;
/// Printing must end soon whatever the types say; each of these may cost a read.
constexpr std::size_t kMaxValues = 4096;

class Writer {
public:
    Writer(const ValueReader& reader, bool fortran) : reader_(reader), fortran_(fortran) {}

    std::string run(const Value& value) {
        write(value, 0);
        return std::move(out_);
    }

private:
    bool exhausted() const { return out_.size() > kMaxTextBytes || values_ > kMaxValues; }

    void write(const Value& value, int depth) {
        ++values_;
        if (exhausted() || depth > kMaxDepth) {
            out_ += "...";
            return;
        }
        if (!value.absent.empty()) return say(value.absent);
        const TypeShape shape = shape_of(value.type);
        switch (shape.kind) {
            case TypeKind::Void:
                out_ += "void";
                return;
            case TypeKind::Structure:
                return write_structure(value, depth);
            case TypeKind::Array:
                return write_array(value, depth);
            case TypeKind::String:
                return write_fortran_string(value);
            case TypeKind::Reference:
                return write_reference(value, depth);
            case TypeKind::Function:
                out_ += fmt::format("{{{}}}", type_name(value.type));
                if (value.address) out_ += ' ' + pointer_text(to_integer(*value.address), true);
                return;
            case TypeKind::Unknown:
                return say("a type that is not described");
            default:
                return write_scalar(value, shape);
        }
    }

    void say(std::string_view what) { out_ += fmt::format("<{}>", what); }

    void write_scalar(const Value& value, const TypeShape& shape) {
        if (shape.kind == TypeKind::Float || shape.kind == TypeKind::Complex ||
            (shape.kind == TypeKind::Integer && shape.size == 16)) {
            const auto bytes = reader_.bytes(value);
            if (!bytes) return say(bytes.error().message);
            if (shape.kind == TypeKind::Float) {
                out_ += real_text(*bytes, type_name(value.type));
            } else if (shape.kind == TypeKind::Complex) {
                write_complex(*bytes, type_name(value.type));
            } else {
                out_ += wide_integer_text(*bytes, shape.is_signed);
            }
            return;
        }
        const auto number = reader_.integer(value);
        if (!number) return say(number.error().message);
        switch (shape.kind) {
            case TypeKind::Boolean:
                return write_boolean(*number);
            case TypeKind::Character:
                out_ += fortran_ ? std::to_string(*number)
                                 : integer_text(*number, shape.is_signed) + ' ' +
                                       quoted_character(static_cast<unsigned char>(*number));
                return;
            case TypeKind::Enumeration:
                return write_enumeration(*number, shape);
            case TypeKind::Pointer:
                return write_pointer(value.type, *number);
            default:
                out_ += integer_text(*number, shape.is_signed);
        }
    }

    static std::string integer_text(std::uint64_t number, bool is_signed) {
        return is_signed ? std::to_string(static_cast<std::int64_t>(number))
                         : std::to_string(number);
    }

    static std::string wide_integer_text(std::span<const std::byte> bytes, bool is_signed) {
        __extension__ using Wide = unsigned __int128;
        Wide number = 0;
        std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
        const bool negative = is_signed && (number >> 127) != 0;
        if (negative) number = 0 - number;
        std::string digits;
        do {
            digits += static_cast<char>('0' + static_cast<int>(number % 10));
            number /= 10;
        } while (number != 0);
        if (negative) digits += '-';
        std::reverse(digits.begin(), digits.end());
        return digits;
    }

    // The shortest text that gives the same number back.
    static std::string real_text(std::span<const std::byte> bytes, std::string_view type) {
        const long double value = real_of(bytes, type);
        if (bytes.size() == sizeof(float)) return fmt::format("{}", static_cast<float>(value));
        if (bytes.size() == sizeof(double)) return fmt::format("{}", static_cast<double>(value));
        return fmt::format("{}", value);
    }

    void write_complex(std::span<const std::byte> bytes, std::string_view type) {
        const std::size_t half = bytes.size() / 2;
        // "complex(kind=16)" and "complex long double" say what the halves are.
        const std::string real = real_text(bytes.first(half), type);
        const std::string imaginary = real_text(bytes.subspan(half), type);
        out_ += fmt::format(fmt::runtime(fortran_ ? "({},{})" : "{} + {}i"), real, imaginary);
    }

    void write_boolean(std::uint64_t number) {
        if (number > 1) {
            out_ += std::to_string(number);
        } else if (fortran_) {
            out_ += number == 1 ? ".TRUE." : ".FALSE.";
        } else {
            out_ += number == 1 ? "true" : "false";
        }
    }

    void write_enumeration(std::uint64_t number, const TypeShape& shape) {
        std::string flags;
        std::uint64_t rest = number;
        std::uint64_t seen = 0;
        bool disjoint = true;
        std::string_view exact;
        for_each_child(*shape.die, [&](Dwarf_Die child) {
            const auto constant = unsigned_attribute(child, DW_AT_const_value);
            if (dwarf_tag(&child) != DW_TAG_enumerator || !constant) return true;
            const std::uint64_t bits = shape.size == 4 ? *constant & UINT32_MAX : *constant;
            const std::uint64_t own = shape.size == 4 ? number & UINT32_MAX : number;
            if (bits == own) exact = entry_name(child);
            disjoint = disjoint && (bits & seen) == 0;
            seen |= bits;
            if (bits != 0 && (rest & bits) == bits) {
                flags += (flags.empty() ? "" : " | ") + std::string(entry_name(child));
                rest &= ~bits;
            }
            return exact.empty();
        });
        if (!exact.empty()) {
            out_ += exact;
        } else if (disjoint && !flags.empty()) {
            out_ += fmt::format("({}{})", flags, rest == 0 ? "" : fmt::format(" | {:#x}", rest));
        } else {
            out_ += integer_text(number, shape.is_signed);
        }
    }

    std::string pointer_text(std::uint64_t address, bool to_function) const {
        std::string text = fmt::format("{:#x}", address);
        const Module* module = to_function ? reader_.view().module_at(Address{address}) : nullptr;
        if (module == nullptr) return text;
        const std::uint64_t linked = module->linked(Address{address});
        if (const auto function = module->image->function_at(linked)) {
            text += fmt::format(" <{}", function->name);
            if (linked != function->address) text += fmt::format("+{}", linked - function->address);
            text += '>';
        }
        return text;
    }

    void write_pointer(const ValueType& type, std::uint64_t address) {
        const TypeShape target = shape_of(target_of(type));
        out_ += pointer_text(address, target.kind == TypeKind::Function);
        if (target.kind != TypeKind::Character || address == 0 || fortran_) return;
        const auto text = read_text(reader_.memory(), Address{address}, kMaxCharacters);
        out_ += ' ';
        if (!text) return say(text.error().message);
        out_ += quoted_text(text->text, '"') + (text->complete ? "" : "...");
    }

    void write_reference(const Value& value, int depth) {
        const auto target = reader_.dereference(value);
        if (!target) return say(target.error().message);
        if (target->address) out_ += fmt::format("@{:#x}: ", to_integer(*target->address));
        write(*target, depth + 1);
    }

    void write_fortran_string(Value value) {
        const auto size = reader_.size_of(value.type);
        if (!size) return say("a string of unknown length");
        const std::uint64_t shown = std::min<std::uint64_t>(*size, kMaxCharacters);
        std::vector<std::byte> bytes(shown);
        if (value.address && value.bytes.empty()) {
            if (shown > 0 && !reader_.memory().read(*value.address, bytes))
                return say(fmt::format("cannot be read at {:#x}", to_integer(*value.address)));
        } else {
            const auto held = reader_.bytes(value);
            if (!held) return say(held.error().message);
            std::copy_n(held->begin(), shown, bytes.begin());
        }
        out_ += quoted_text(as_text(bytes), '\'') + (shown < *size ? "..." : "");
    }

    void write_structure(Value value, int depth) {
        if (const auto text = reader_.string_characters(value)) {
            return write_characters(*text, false);
        }
        if (const auto elements = reader_.vector_elements(value)) {
            if (!elements->absent.empty()) return say(elements->absent);
            out_ += fmt::format("std::vector of length {} ",
                                elements->type.steps.back().count.value_or(0));
            return write_array(*elements, depth);
        }
        const auto members = reader_.members(value.type);
        if (members.empty() && !reader_.size_of(value.type)) return say("incomplete type");
        reader_.read_ahead(value);
        out_ += fortran_ ? "( " : "{";
        bool first = true;
        for (const Member& member : members) {
            if (!first) out_ += ", ";
            first = false;
            if (exhausted()) {
                out_ += "...";
                break;
            }
            if (member.is_base) {
                out_ += fmt::format("<{}> = ",
                                    type_name(type_of_entry(*value.type.module, member.die)));
            } else if (!member.name.empty()) {
                out_ += fmt::format("{} = ", member.name);
            }
            write(reader_.member(value, member), depth + 1);
        }
        out_ += fortran_ ? " )" : "}";
    }

    // Of a char array: what lies behind the text is left out if it is zero.
    void write_characters(const Value& array, bool padded) {
        const std::uint64_t count = array.type.steps.back().count.value_or(0);
        Value shown = array;
        const std::uint64_t length = std::min<std::uint64_t>(count, 4096);
        shown.type.steps.back().count = length;
        const auto bytes = reader_.bytes(shown);
        if (!bytes) return say(bytes.error().message);
        std::string text = as_text(*bytes);
        bool complete = length == count;
        if (padded) text.resize(text.find_last_not_of('\0') + 1);
        if (text.size() > kMaxCharacters) {
            text.resize(kMaxCharacters);
            complete = false;
        }
        out_ += quoted_text(text, '"') + (complete ? "" : "...");
    }

    void write_array(Value value, int depth) {
        if (value.type.steps.empty() || !value.type.steps.back().count) {
            std::string_view at = value.address ? " at " : "";
            return say(fmt::format(
                "array without bounds{}{}",
                at,
                at.empty() ? std::string{} : fmt::format("{:#x}", to_integer(*value.address))));
        }
        const TypeShape element = shape_of(target_of(value.type));
        const TypeStep step = value.type.steps.back();
        if (element.kind == TypeKind::Character && step.stride == 1 && !fortran_)
            return write_characters(value, true);
        std::uint64_t readable = *step.count;
        if (step.stride > 0) {
            readable = std::min(readable, kMaxArrayBytes / static_cast<std::uint64_t>(step.stride));
            value.type.steps.back().count = readable;
            reader_.read_ahead(value);
        }
        out_ += fortran_ ? '(' : '{';
        write_elements(value, *step.count, readable, depth);
        out_ += fortran_ ? ')' : '}';
    }

    void write_elements(const Value& array,
                        std::uint64_t count,
                        std::uint64_t readable,
                        int depth) {
        const TypeStep& step = array.type.steps.back();
        const bool nested = shape_of(target_of(array.type)).kind == TypeKind::Array;
        for (std::uint64_t i = 0; i < count;) {
            if (i > 0) out_ += fortran_ && nested ? " " : ", ";
            if (i >= readable || exhausted() || elements_ >= kMaxElements) {
                out_ += "...";
                return;
            }
            const auto subscript =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(step.lower) + i);
            const auto element = reader_.element(array, subscript);
            if (!element) return say(element.error().message);
            const auto bytes = reader_.bytes(*element);
            const std::uint64_t equal = bytes ? count_equal(array, i, readable, *bytes) : 1;
            const std::size_t before = elements_;
            write(*element, depth + 1);
            if (!nested) ++elements_;
            if (equal >= kRepeats) {
                // However many elements an inner array has, they were written once.
                if (nested) elements_ = before + kRepeats;
                out_ += fmt::format(fmt::runtime(fortran_ && !nested ? ", <repeats {} times>"
                                                                     : " <repeats {} times>"),
                                    equal);
                i += equal;
            } else {
                ++i;
            }
            // One message is enough.
            if (!bytes && element->absent.empty() && !nested) return;
        }
    }

    std::uint64_t count_equal(const Value& array,
                              std::uint64_t first,
                              std::uint64_t readable,
                              const std::vector<std::byte>& bytes) const {
        const TypeStep& step = array.type.steps.back();
        std::uint64_t equal = 1;
        if (array.bytes.empty() || step.stride <= 0) {
            // Not worth more reads than elements are shown.
            while (equal < kMaxElements && first + equal < readable) {
                const auto next =
                    reader_.element(array, step.lower + static_cast<std::int64_t>(first + equal));
                const auto other =
                    next ? reader_.bytes(*next) : Result<std::vector<std::byte>>(Error{});
                if (!other || *other != bytes) break;
                ++equal;
            }
            return equal;
        }
        const auto stride = static_cast<std::uint64_t>(step.stride);
        const std::byte* start = array.bytes.data();
        while (first + equal < readable &&
               (first + equal) * stride + bytes.size() <= array.bytes.size() &&
               std::memcmp(start + (first + equal) * stride, bytes.data(), bytes.size()) == 0) {
            ++equal;
        }
        return equal;
    }

    static std::string as_text(std::span<const std::byte> bytes) {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    const ValueReader& reader_;
    bool fortran_;
    std::string out_;
    std::size_t values_ = 0;
    std::size_t elements_ = 0;
};

}  // namespace

std::string value_text(const ValueReader& reader, const Value& value, bool fortran) {
    return Writer(reader, fortran).run(value);
}

}  // namespace mqinspect::target
