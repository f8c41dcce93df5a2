#include "inspector/target/dwarf_types.h"

#include <cstring>
#include <string>
#include <unordered_set>

#include <dwarf.h>

#include "inspector/target/value_type.h"

namespace mqinspect::target {
namespace {

// Bounds on what damaged debug information can make us do. Real chains of
// typedefs and nested anonymous members are a few steps long.
constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxFields = 65536;

bool is_aggregate(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

std::optional<std::uint64_t> array_length(Dwarf_Die array) {
    std::optional<std::uint64_t> length;
    for_each_child(array, [&](Dwarf_Die child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
        const auto count = subrange_count(child);
        std::uint64_t product = 0;
        const bool known = count && !__builtin_mul_overflow(length.value_or(1), *count, &product);
        length = known ? std::optional(product) : std::nullopt;
        return known;
    });
    return length;
}

std::optional<std::uint64_t> sized(Dwarf_Die type, int depth) {
    if (depth > kMaxDepth || !peel_type(type)) return std::nullopt;
    if (const auto size = unsigned_attribute(type, DW_AT_byte_size)) return size;
    switch (dwarf_tag(&type)) {
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
            return 8;
        case DW_TAG_array_type: {
            const auto length = array_length(type);
            Dwarf_Die element{};
            if (!length || !type_of(type, element)) return std::nullopt;
            const auto size = sized(element, depth + 1);
            std::uint64_t total = 0;
            if (!size || __builtin_mul_overflow(*length, *size, &total)) return std::nullopt;
            return total;
        }
        case DW_TAG_enumeration_type: {
            Dwarf_Die base{};
            return type_of(type, base) ? sized(base, depth + 1) : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

// DW_AT_data_member_location: a constant, or in old DWARF an expression that adds
// one. Members of unions have none.
std::optional<std::int64_t> member_offset(Dwarf_Die member) {
    Dwarf_Attribute attribute{};
    if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) == nullptr) return 0;
    Dwarf_Word value = 0;
    if (dwarf_whatform(&attribute) != DW_FORM_exprloc && dwarf_formudata(&attribute, &value) == 0)
        return static_cast<std::int64_t>(value);
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
        operations[0].atom == DW_OP_plus_uconst) {
        return static_cast<std::int64_t>(operations[0].number);
    }
    return std::nullopt;
}

class FieldCollector {
public:
    explicit FieldCollector(TypeLayout& layout) : layout_(layout) {}

    void add_members(Dwarf_Die type, std::int64_t base, int depth) {
        if (depth > kMaxDepth) return;
        for_each_child(type, [&](Dwarf_Die member) {
            add(member, base, depth);
            return ++members_ < kMaxFields;
        });
    }

private:
    void add(Dwarf_Die member, std::int64_t base, int depth) {
        if (dwarf_tag(&member) != DW_TAG_member || dwarf_hasattr(&member, DW_AT_bit_size) != 0)
            return;
        const auto offset = member_offset(member);
        std::int64_t total = 0;
        Dwarf_Die type{};
        if (!offset || __builtin_add_overflow(base, *offset, &total) || !type_of(member, type))
            return;
        const std::string_view name = entry_name(member);
        if (!name.empty()) {
            layout_.fields.push_back({std::string(name), total, type_size(type).value_or(0)});
        } else if (peel_type(type) && is_aggregate(dwarf_tag(&type))) {
            add_members(type, total, depth + 1);
        }
    }

    TypeLayout& layout_;
    std::size_t members_ = 0;  // looked at, in anonymous members too
};

TypeLayout layout_of(Dwarf_Die type, std::string_view fallback_name) {
    TypeLayout layout;
    const std::string_view name = entry_name(type);
    layout.name = name.empty() ? fallback_name : name;
    layout.size = type_size(type).value_or(0);
    if (is_aggregate(dwarf_tag(&type))) FieldCollector(layout).add_members(type, 0, 0);
    return layout;
}

}  // namespace

bool type_of(Dwarf_Die die, Dwarf_Die& type) {
    Dwarf_Attribute attribute{};
    return dwarf_attr_integrate(&die, DW_AT_type, &attribute) != nullptr &&
           dwarf_formref_die(&attribute, &type) != nullptr;
}

std::optional<std::uint64_t> subrange_count(Dwarf_Die subrange) {
    if (const auto count = unsigned_attribute(subrange, DW_AT_count)) return count;
    const auto upper = signed_attribute(subrange, DW_AT_upper_bound);
    if (!upper) return std::nullopt;
    const auto written = signed_attribute(subrange, DW_AT_lower_bound);
    if (!written && dwarf_hasattr_integrate(&subrange, DW_AT_lower_bound) != 0) return std::nullopt;
    const std::int64_t lower = written.value_or(is_fortran(subrange) ? 1 : 0);
    std::int64_t last = 0;
    if (__builtin_sub_overflow(*upper, lower, &last) || last == INT64_MAX) return std::nullopt;
    // Some compilers write -1 for an array whose length is not known.
    if (last < 0 && !written) return std::nullopt;
    return last < 0 ? 0 : static_cast<std::uint64_t>(last) + 1;
}

bool peel_type(Dwarf_Die& die) {
    for (int depth = 0; depth < kMaxDepth; ++depth) {
        switch (dwarf_tag(&die)) {
            case DW_TAG_typedef:
            case DW_TAG_const_type:
            case DW_TAG_volatile_type:
            case DW_TAG_restrict_type:
            case DW_TAG_atomic_type: {
                Dwarf_Die next{};
                if (!type_of(die, next)) return false;
                die = next;
                break;
            }
            default:
                return true;
        }
    }
    return false;
}

std::optional<std::uint64_t> type_size(Dwarf_Die type) {
    return sized(type, 0);
}

DwarfTypes::DwarfTypes(const ElfFile& file, const CompileUnits& units)
    : file_(file), units_(units) {
    order_units();
}

void DwarfTypes::order_units() {
    std::unordered_set<std::string> directories;
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < units_.all().size(); ++i) {
        Dwarf_Die unit = units_.all()[i];
        const std::string_view name = entry_name(unit);
        const std::size_t slash = name.rfind('/');
        const auto directory = name.substr(0, slash == std::string_view::npos ? 0 : slash);
        (directories.emplace(directory).second ? order_ : rest).push_back(i);

        // The producer is a long string: if it is not in .debug_str, names need
        // not be there either. Strings of a dwz file are not in ours.
        Dwarf_Attribute producer{};
        if (dwarf_attr(&unit, DW_AT_producer, &producer) == nullptr) continue;
        const unsigned form = dwarf_whatform(&producer);
        if (form == DW_FORM_string || form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup)
            inline_names_ = true;
    }
    order_.insert(order_.end(), rest.begin(), rest.end());
}

bool DwarfTypes::may_occur(std::string_view name) const {
    // A string no longer than its reference would be is stored in place.
    if (name.size() <= 3 || inline_names_) return true;
    // Only the end is looked for: linkers let a string share the tail of a longer
    // one.
    const std::string wanted = std::string(name) + '\0';
    for (const char* section : {".debug_str", ".debug_line_str"}) {
        const std::string_view text = file_.section_bytes(section);
        if (!text.empty() && memmem(text.data(), text.size(), wanted.data(), wanted.size()))
            return true;
    }
    return false;
}

void DwarfTypes::read_unit(Dwarf_Die unit) {
    for_each_child(unit, [this](Dwarf_Die die) {
        const int tag = dwarf_tag(&die);
        const bool tagged = is_aggregate(tag) || tag == DW_TAG_enumeration_type;
        if (!tagged && tag != DW_TAG_typedef && tag != DW_TAG_base_type) return true;
        const std::string_view name = entry_name(die);
        if (name.empty()) return true;
        Entry& entry = entries_[name];
        auto& slot = tagged ? entry.definition : entry.alias;
        if (!slot && dwarf_hasattr(&die, DW_AT_declaration) == 0) slot = die;
        return true;
    });
}

std::optional<TypeLayout> DwarfTypes::find(std::string_view name) {
    if (name.empty() || !may_occur(name)) return std::nullopt;
    return find(name, 0);
}

std::optional<TypeLayout> DwarfTypes::find(std::string_view name, int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    std::optional<Dwarf_Die> alias;
    for (;;) {
        const auto entry = entries_.find(name);
        if (entry != entries_.end()) {
            if (entry->second.definition) return layout_of(*entry->second.definition, name);
            alias = entry->second.alias;
            if (alias) break;
        }
        if (units_read_ == order_.size()) return std::nullopt;
        read_unit(units_.all()[order_[units_read_++]]);
    }
    return resolve_alias(*alias, name, depth);
}

std::optional<TypeLayout> DwarfTypes::resolve_alias(Dwarf_Die die,
                                                    std::string_view name,
                                                    int depth) {
    if (!peel_type(die)) return std::nullopt;
    if (dwarf_hasattr(&die, DW_AT_declaration) == 0) return layout_of(die, name);
    // "typedef struct A B" where only another unit defines struct A.
    const std::string_view tag = entry_name(die);
    if (tag.empty()) return std::nullopt;
    if (tag != name) return find(tag, depth + 1);
    while (!entries_[tag].definition && units_read_ < order_.size())
        read_unit(units_.all()[order_[units_read_++]]);
    const auto& definition = entries_[tag].definition;
    return definition ? std::optional(layout_of(*definition, tag)) : std::nullopt;
}

}  // namespace mqinspect::target
