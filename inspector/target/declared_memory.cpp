#include "inspector/target/declared_memory.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <dwarf.h>

#include "inspector/target/declared_elements.h"
#include "inspector/target/expression_syntax.h"
#include "inspector/target/fortran_storage.h"
#include "inspector/target/frame_variables.h"
#include "inspector/target/name_index.h"
#include "inspector/target/scopes.h"

namespace mqinspect::target {
namespace {

/// Memory of a type, in memory that is declared as a whole: a member of a structure, an element
/// of an array.
struct Object {
    ValueType type;
    ValueType pattern;       ///< what the memory around consists of, again and again
    std::uint64_t at = 0;    ///< where in the pattern
    bool in_member = false;  ///< of the pattern, so that the pattern does not go on as its elements
    bool is_pointer = false;  ///< it is not the object that is meant, but its address
    bool is_cast = false;     ///< to another type, so that it may hold anything
    bool on_stack = false;
    std::optional<std::uint64_t> room;
    std::optional<std::uint64_t> described;
};

using Found = std::optional<Object>;

Object repeated(const ValueType& type) {
    Object object;
    object.type = with_dimensions(type);
    object.pattern = innermost_element(type);
    return object;
}

/// The object is `bytes` further behind in the pattern.
Object moved(Object object, std::uint64_t bytes) {
    object.at += bytes;
    for (auto* limit : {&object.room, &object.described}) {
        if (*limit) **limit = **limit > bytes ? **limit - bytes : 0;
    }
    return object;
}

bool is_raw(const std::string& name) {
    constexpr std::array<std::string_view, 8> names = {
        "void", "char", "unsigned char", "signed char", "uint8_t", "int8_t", "std::byte", "byte"};
    for (const std::string_view one : names)
        if (one == name) return true;
    return false;
}

/// At a distance from a register, which only those have that come and go with their function.
bool is_in_frame(const VariableSite& site) {
    if (site.location.size() != 1) return false;
    const unsigned atom = site.location[0].atom;
    return atom == DW_OP_fbreg || (atom >= DW_OP_breg0 && atom <= DW_OP_breg31);
}

class Declarations {
public:
    Declarations(Image& image, std::uint64_t address) : address_(address), fortran_(false) {
        module_.image = &image;
        fortran_ = is_fortran_at(module_, address);
    }

    bool fortran() const { return fortran_; }
    bool is_type(const std::string& name) const {
        return basic_type(name) != nullptr || is_raw(name) ||
               (names() != nullptr && names()->find(NameIndex::Kind::Type, name, address_));
    }

    /// What the value of the argument points to.
    Found argument(const Expression& node) const {
        const Found found = find(node);
        if (fortran_ && found) return address_of(*found);
        return found ? decayed(*found) : std::nullopt;
    }
    /// As it was declared, before it is an argument.
    Found find(const Expression& node) const;

private:
    const NameIndex* names() const { return module_.image->names(); }
    Found name(const std::string& text) const;
    Found local(const std::string& text) const;
    Found variable(Dwarf_Die die) const;
    Found member(Object structure, const std::string& text) const;
    Found element(const Object& array, const Expression& subscript) const;
    Found elements(const Expression& node) const;
    Found sum(const Expression& node) const;
    Found cast(const Expression& node) const;
    Found pointed_to(const Object& pointer) const;

    static Object address_of(Object object) {
        object.is_pointer = true;
        return object;
    }
    Found decayed(const Object& object) const;
    /// A reference, and in Fortran a pointer, is what it leads to.
    Object followed(const Object& object) const;
    static Object anywhere_in(const Object& object, const ValueType& element);

    Module module_;
    std::uint64_t address_;
    bool fortran_;
};

Object Declarations::followed(const Object& object) const {
    const TypeKind kind = shape_of(object.type).kind;
    const bool leads = kind == TypeKind::Reference || (fortran_ && kind == TypeKind::Pointer);
    return leads ? repeated(target_of(object.type)) : object;
}

Found Declarations::variable(Dwarf_Die die) const {
    Object object = repeated(type_of_entry(module_, die));
    if (!fortran_ || has_own_storage(module_, address_, die))
        object.room = declared_size(object.type);
    object.on_stack = is_in_frame(variable_site(die, address_));
    return followed(object);
}

Found Declarations::local(const std::string& text) const {
    for (const LocalVariable& one : visible_variables(module_, address_))
        if (one.name == text) return variable(one.die);
    return std::nullopt;
}

Found Declarations::name(const std::string& text) const {
    if (Found found = local(text)) return found;
    if (const Found self = fortran_ || text == "this" ? std::nullopt : local("this")) {
        const Found object = pointed_to(*self);
        if (Found found = object ? member(*object, text) : std::nullopt) return found;
    }
    if (const auto used = used_variable(module_, address_, text)) return variable(*used);
    const auto global = names() == nullptr
                            ? std::nullopt
                            : names()->find(NameIndex::Kind::Variable, text, address_);
    return global ? variable(*global) : std::nullopt;
}

// What an array is as an argument: the address of its first element.
Found Declarations::decayed(const Object& object) const {
    if (object.is_pointer) return object;
    const TypeKind kind = shape_of(object.type).kind;
    if (kind == TypeKind::Pointer) {
        const Found target = pointed_to(object);
        return target ? Found(address_of(*target)) : std::nullopt;
    }
    if (kind != TypeKind::Array) return std::nullopt;
    Object first = object;
    first.type = with_dimensions(target_of(object.type));
    return address_of(std::move(first));
}

Found Declarations::pointed_to(const Object& pointer) const {
    if (pointer.is_pointer) {
        Object object = pointer;
        object.is_pointer = false;
        return object;
    }
    if (shape_of(pointer.type).kind == TypeKind::Array) {
        const Found first = decayed(pointer);
        return first ? pointed_to(*first) : std::nullopt;
    }
    if (shape_of(pointer.type).kind != TypeKind::Pointer) return std::nullopt;
    const ValueType target = target_of(pointer.type);
    const TypeKind kind = shape_of(target).kind;
    if (kind == TypeKind::Void || kind == TypeKind::Unknown || kind == TypeKind::Function)
        return std::nullopt;
    return repeated(target);
}

/// Of older programs, that have an array of one element at the end of a structure where they mean
/// as many as there is room for. Variables have no more room.
bool is_open_ended(const Object& structure, std::uint64_t offset, const ValueType& member) {
    if (structure.room || shape_of(member).kind != TypeKind::Array) return false;
    const auto whole = declared_size(structure.type);
    const auto size = declared_size(member);
    if (!whole || !size || size != declared_size(target_of(member))) return false;
    constexpr std::uint64_t most_padding = 8;
    return *whole - (offset + *size) < most_padding;
}

Found Declarations::member(Object structure, const std::string& text) const {
    structure = followed(structure);
    const auto found = declared_member(structure.type, text);
    if (!found) return std::nullopt;
    if (has_descriptor(found->type) ||
        (!fortran_ && is_open_ended(structure, found->offset, found->type)))
        return repeated(found->type);
    Object object = moved(std::move(structure), found->offset);
    object.type = with_dimensions(found->type);
    object.in_member = true;
    return followed(object);
}

// Some element of an array whose subscript is not known.
Object Declarations::anywhere_in(const Object& object, const ValueType& element) {
    Object result = object;
    result.type = with_dimensions(element);
    if (!object.in_member) return result;
    result.pattern = innermost_element(element);
    result.at = 0;
    result.in_member = false;
    result.described = declared_size(element);
    return result;
}

Found Declarations::element(const Object& array, const Expression& subscript) const {
    if (const auto contained = contained_type(array.type)) return repeated(*contained);
    Found first = pointed_to(array);
    if (!first) return std::nullopt;
    const bool bounded = shape_of(array.type).kind == TypeKind::Array || array.is_pointer;
    if (!bounded) return first;
    const auto size = declared_size(first->type);
    if (subscript.kind == Expression::Kind::Integer && size &&
        (*size == 0 || subscript.integer < (std::uint64_t{1} << 40) / *size))
        return moved(*first, subscript.integer * *size);
    return anywhere_in(*first, first->type);
}

Found Declarations::elements(const Expression& node) const {
    Found object = find(node.operands[0]);
    if (object) object = followed(*object);
    if (!object) return std::nullopt;
    if (fortran_) {
        if (shape_of(object->type).kind != TypeKind::Array) return std::nullopt;
        const auto offset = offset_in_array(object->type, std::span(node.operands).subspan(1));
        const ValueType element = innermost_element(object->type);
        if (!offset) return anywhere_in(*object, element);
        Object first = moved(*object, *offset);
        first.type = element;
        return first;
    }
    for (std::size_t i = 1; i < node.operands.size() && object; ++i)
        object = element(*object, node.operands[i]);
    return object;
}

Found Declarations::sum(const Expression& node) const {
    if (node.text != "+" && node.text != "-") return std::nullopt;
    const auto pointer = [this](const Expression& one) {
        const Found found = find(one);
        return found ? decayed(*found) : std::nullopt;
    };
    const Found left = pointer(node.operands[0]);
    const Found right = pointer(node.operands[1]);
    if (left.has_value() == right.has_value()) return std::nullopt;
    if (node.text == "+") {
        const Found found = element(left ? *left : *right, node.operands[left ? 1 : 0]);
        return found ? Found(address_of(*found)) : std::nullopt;
    }
    if (!left) return std::nullopt;
    Object object = anywhere_in(*left, left->type);
    object.room.reset();
    return address_of(std::move(object));
}

Found Declarations::cast(const Expression& node) const {
    if (node.type.stars != 1) return std::nullopt;
    const Found found = find(node.operands[0]);
    Found pointer = found ? decayed(*found) : std::nullopt;
    if (pointer && !is_raw(node.type.name)) pointer->is_cast = true;
    return pointer;
}

Found Declarations::find(const Expression& node) const {
    switch (node.kind) {
        case Expression::Kind::Name:
            return name(node.text);
        case Expression::Kind::Unary: {
            const Found object = find(node.operands[0]);
            if (!object) return std::nullopt;
            if (node.text == "*") return pointed_to(*object);
            if (node.text == "&" && !object->is_pointer) return address_of(*object);
            return std::nullopt;
        }
        case Expression::Kind::Binary:
            return sum(node);
        case Expression::Kind::Member: {
            const Found object = find(node.operands[0]);
            return object ? member(*object, node.text) : std::nullopt;
        }
        case Expression::Kind::Arrow: {
            const Found object = find(node.operands[0]);
            if (!object) return std::nullopt;
            const auto contained = contained_type(object->type);
            const Found target = contained ? Found(repeated(*contained)) : pointed_to(*object);
            return target ? member(*target, node.text) : std::nullopt;
        }
        case Expression::Kind::Subscripts:
            return elements(node);
        case Expression::Kind::Cast:
            return cast(node);
        default:
            return std::nullopt;
    }
}

/// Subscripts may call functions and macros; only numbers matter of them.
std::string with_plain_subscripts(std::string_view text) {
    std::string plain;
    std::size_t depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[' && depth++ == 0) begin = i + 1;
        if (text[i] == ']' && depth != 0 && --depth == 0) {
            const std::string_view inner = text.substr(begin, i - begin);
            const bool number =
                !inner.empty() && inner.find_first_not_of("0123456789") == std::string_view::npos;
            plain += '[';
            plain += number ? std::string(inner) : "i";
        }
        if (depth == 0) plain += text[i];
    }
    return plain;
}

/// "static_cast<void *>(x)" as "(void *)(x)".
std::string with_plain_casts(std::string text) {
    for (const std::string_view name : {"static_cast", "reinterpret_cast", "const_cast"}) {
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
            const std::size_t open = at + name.size();
            const std::size_t close = text.find(">(", open);
            if (open >= text.size() || text[open] != '<' || close == std::string::npos) return text;
            text[close] = ')';
            text.replace(at, name.size() + 1, "(");
        }
    }
    return text;
}

/// "v.data()" as "&v[i]".
std::string with_plain_data(std::string text) {
    for (const std::string_view name : {".data()", "->data()", ".get()"}) {
        if (!text.ends_with(name)) continue;
        text.resize(text.size() - name.size());
        if (name.starts_with('-')) return "&(*" + text + ")[i]";
        return "&" + text + "[i]";
    }
    return text;
}

/// As Fortran declares it: "real(kind=8), dimension(6,6)"; without bounds that are not constant.
std::string fortran_name(const ValueType& type) {
    const ValueType element = innermost_element(type);
    std::string name = type_name(element);
    if (shape_of(element).kind == TypeKind::String) {
        const auto length = declared_size(element);
        name = length ? "character(len=" + std::to_string(*length) + ")" : "character";
    }
    std::string bounds;
    for (const TypeStep& step : type.steps) {
        if (step.is_pointer || !step.count) return name;
        bounds += bounds.empty() ? "" : ",";
        if (step.lower != 1) bounds += std::to_string(step.lower) + ":";
        bounds += std::to_string(step.lower + static_cast<std::int64_t>(*step.count) - 1);
    }
    return bounds.empty() ? name : name + ", dimension(" + bounds + ")";
}

std::optional<std::int64_t> as_signed(const std::optional<std::uint64_t>& number) {
    return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

}  // namespace

bool is_fortran(Image& image, std::uint64_t address) {
    Module module;
    module.image = &image;
    return is_fortran_at(module, address);
}

std::optional<model::DeclaredBuffer> declared_memory(Image& image,
                                                     std::uint64_t address,
                                                     std::string_view expression) {
    const Declarations declarations(image, address);
    std::string plain(expression);
    if (!declarations.fortran())
        plain = with_plain_data(with_plain_casts(with_plain_subscripts(expression)));
    const auto parsed =
        parse_expression(plain, declarations.fortran(), [&](const std::string& name) {
            return declarations.is_type(name);
        });
    if (!parsed) return std::nullopt;
    const Found memory = declarations.argument(*parsed);
    if (!memory || !memory->is_pointer) return std::nullopt;

    model::DeclaredBuffer result;
    result.text = expression;
    const Found named = declarations.find(*parsed);
    const ValueType type = named && !named->is_pointer ? named->type : memory->type;
    result.type = declarations.fortran() ? fortran_name(type) : type_name(type);
    result.room = as_signed(memory->room);
    if (!memory->is_cast)
        result.unit = as_signed(declared_size(innermost_element(memory->type))).value_or(0);
    const auto period = declared_size(memory->pattern);
    if (!memory->is_cast && period && *period > 0) {
        result.elements = elements_of(memory->pattern);
        result.period = static_cast<std::int64_t>(*period);
        result.start = static_cast<std::int64_t>(memory->at % *period);
        result.described = as_signed(memory->described);
    }
    result.on_stack = memory->on_stack;
    if (result.elements.empty() && !result.room) return std::nullopt;
    return result;
}

}  // namespace mqinspect::target
