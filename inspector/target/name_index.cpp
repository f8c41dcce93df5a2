#include "inspector/target/name_index.h"

#include <dwarf.h>

#include "inspector/target/scopes.h"

namespace mqinspect::target {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxEntries = std::size_t{1} << 23;
/// The same type is often defined in each unit.
constexpr std::size_t kMaxAlike = 64;

bool is_type(int tag) {
    switch (tag) {
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
        case DW_TAG_typedef:
        case DW_TAG_base_type:
            return true;
        default:
            return false;
    }
}

bool is_cpp(Dwarf_Die unit) {
    switch (dwarf_srclang(&unit)) {
        case DW_LANG_C_plus_plus:
        case DW_LANG_C_plus_plus_03:
        case DW_LANG_C_plus_plus_11:
        case DW_LANG_C_plus_plus_14:
            return true;
        default:
            return false;
    }
}

bool has_attribute(Dwarf_Die die, unsigned name) {
    return dwarf_hasattr(&die, name) != 0;
}

}  // namespace

NameIndex::NameIndex(const CompileUnits& units) : units_(units) {
    for (unit_ = 0; unit_ < units.all().size(); ++unit_) {
        Dwarf_Die unit = units.all()[unit_];
        cpp_ = is_cpp(unit);
        read(unit, "", 0);
    }
    declared_.clear();
}

void NameIndex::put(std::string_view name, const Entry& entry) {
    auto& alike = entries_[name];
    if (alike.size() < kMaxAlike) alike.push_back(entry);
}

void NameIndex::add(Kind kind, std::string_view name, const std::string& prefix, Dwarf_Die die) {
    if (name.empty()) return;
    const Entry entry{kind, unit_, die};
    put(name, entry);
    if (prefix.empty()) return;
    qualified_.push_back(prefix + std::string(name));
    put(qualified_.back(), entry);
}

// A variable of a namespace and a static member are declared there, and defined at the top
// level by an entry that refers to the declaration.
void NameIndex::add_variable(Dwarf_Die die, const std::string& prefix) {
    if (!has_attribute(die, DW_AT_location) && !has_attribute(die, DW_AT_const_value)) {
        if (!prefix.empty()) declared_.emplace(die.addr, prefix);
        return;
    }
    const auto origin = origin_of(die);
    const auto declared = origin ? declared_.find(origin->addr) : declared_.end();
    add(Kind::Variable,
        entry_name(die),
        declared == declared_.end() ? prefix : declared->second,
        die);
}

void NameIndex::declare_members(Dwarf_Die type, const std::string& prefix) {
    for_each_child(type, [&](Dwarf_Die member) {
        const int tag = dwarf_tag(&member);
        if (++entries_read_ > kMaxEntries) return false;
        if ((tag == DW_TAG_member || tag == DW_TAG_variable) &&
            has_attribute(member, DW_AT_declaration)) {
            declared_.emplace(member.addr, prefix);
        }
        return true;
    });
}

void NameIndex::read(Dwarf_Die parent, const std::string& prefix, int depth) {
    if (depth > kMaxDepth) return;
    for_each_child(parent, [&](Dwarf_Die die) {
        if (++entries_read_ > kMaxEntries) return false;
        const int tag = dwarf_tag(&die);
        if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
            const std::string_view name = entry_name(die);
            read(die, name.empty() ? prefix : prefix + std::string(name) + "::", depth + 1);
        } else if (tag == DW_TAG_variable) {
            add_variable(die, prefix);
        } else if (is_type(tag) && !has_attribute(die, DW_AT_declaration)) {
            add(Kind::Type, entry_name(die), prefix, die);
            if (cpp_) declare_members(die, prefix + std::string(entry_name(die)) + "::");
            if (tag != DW_TAG_enumeration_type) return true;
            const bool scoped = has_attribute(die, DW_AT_enum_class);
            const std::string inner =
                scoped ? prefix + std::string(entry_name(die)) + "::" : prefix;
            for_each_child(die, [&](Dwarf_Die enumerator) {
                add(Kind::Enumerator, entry_name(enumerator), inner, enumerator);
                return true;
            });
        }
        return true;
    });
}

std::optional<Dwarf_Die> NameIndex::find(Kind kind,
                                         std::string_view name,
                                         std::uint64_t address) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return std::nullopt;
    const Dwarf_Die* own = units_.at(address);
    std::optional<Dwarf_Die> first;
    for (const Entry& entry : found->second) {
        if (entry.kind != kind) continue;
        if (own != nullptr && units_.all()[entry.unit].addr == own->addr) return entry.die;
        if (!first) first = entry.die;
    }
    return first;
}

std::optional<FoundEntry> find_definition(const ProcessView& view,
                                          const Module* own,
                                          std::uint64_t linked_address,
                                          NameIndex::Kind kind,
                                          std::string_view name) {
    const auto look_in = [&](const Module& module) -> std::optional<FoundEntry> {
        const NameIndex* names = module.c_library ? nullptr : module.image->names();
        if (names == nullptr) return std::nullopt;
        const auto die = names->find(kind, name, &module == own ? linked_address : 0);
        return die ? std::optional(FoundEntry{&module, *die}) : std::nullopt;
    };
    if (own != nullptr) {
        if (const auto found = look_in(*own)) return found;
    }
    for (const bool of_mpi : {false, true}) {
        for (const Module& module : view.modules()) {
            const bool is_mpi = module.mpi_evidence > 1 && &module != &view.modules().front();
            if (&module == own || is_mpi != of_mpi) continue;
            const bool listed = kind == NameIndex::Kind::Type || !is_mpi ||
                                module.image->find_symbol(name).has_value();
            if (!listed) continue;
            if (const auto found = look_in(module)) return found;
        }
    }
    return std::nullopt;
}

std::optional<ValueType> find_type_entry(const ProcessView& view,
                                         const Module& own,
                                         std::string_view name) {
    const auto found = find_definition(view, &own, 0, NameIndex::Kind::Type, name);
    if (!found) return std::nullopt;
    ValueType type;
    type.module = found->module;
    type.die = found->die;
    return type;
}

}  // namespace mqinspect::target
