#include "inspector/target/frame_variables.h"

#include <algorithm>

#include <dwarf.h>

#include "inspector/target/scopes.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {
namespace {

constexpr std::size_t kMaxVariables = 4096;

bool is_variable(int tag) {
    return tag == DW_TAG_formal_parameter || tag == DW_TAG_variable;
}

class Collector {
public:
    std::vector<LocalVariable> run(const std::vector<Dwarf_Die>& scopes) {
        for (std::size_t i = 0; i < scopes.size(); ++i) {
            inlined_ = inlined_function(scopes, i);
            const std::size_t start = found_.size();
            add_children(scopes[i], false);
            // A variable that has no place anywhere is only in the abstract scope.
            if (const auto origin = origin_of(scopes[i])) add_children(*origin, true);
            std::stable_partition(
                found_.begin() + static_cast<std::ptrdiff_t>(start),
                found_.end(),
                [](const LocalVariable& variable) { return variable.is_parameter; });
        }
        return std::move(found_);
    }

private:
    static std::string_view inlined_function(const std::vector<Dwarf_Die>& scopes, std::size_t i) {
        for (; i < scopes.size(); ++i) {
            Dwarf_Die scope = scopes[i];
            if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine) return entry_name(scope);
            if (dwarf_tag(&scope) == DW_TAG_subprogram) break;
        }
        return {};
    }

    void add_children(Dwarf_Die scope, bool abstract) {
        for_each_child(scope, [&](Dwarf_Die child) {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_common_block) {
                const std::size_t start = found_.size();
                add_children(child, abstract);
                for (std::size_t i = start; i < found_.size(); ++i)
                    found_[i].is_in_common = true;
            }
            if (is_variable(tag)) add(child, abstract);
            return found_.size() < kMaxVariables;
        });
    }

    void add(Dwarf_Die die, bool abstract) {
        if (dwarf_hasattr(&die, DW_AT_declaration) != 0 || entry_name(die).empty()) return;
        if (abstract && std::ranges::find(concrete_, die.addr) != concrete_.end()) return;
        if (const auto origin = origin_of(die)) concrete_.push_back(origin->addr);
        // gfortran, too, makes dummies with descriptors itself, but leaves them their names.
        const std::string_view name = entry_name(die);
        const bool hidden = flag_attribute(die, DW_AT_artificial) && name != "this" &&
                            (name.starts_with('_') || !is_fortran(die));
        found_.push_back({.name = name,
                          .die = die,
                          .is_parameter = dwarf_tag(&die) == DW_TAG_formal_parameter,
                          .is_hidden = hidden,
                          .is_in_common = false,
                          .inlined = inlined_});
    }

    std::vector<LocalVariable> found_;
    std::vector<void*> concrete_;  // abstract entries that have one of their own
    std::string_view inlined_;
};

std::optional<Dwarf_Die> referred(Dwarf_Die die, unsigned name) {
    Dwarf_Attribute attribute{};
    Dwarf_Die target{};
    if (dwarf_attr(&die, name, &attribute) == nullptr ||
        dwarf_formref_die(&attribute, &target) == nullptr) {
        return std::nullopt;
    }
    return target;
}

std::optional<Dwarf_Die> child_variable(Dwarf_Die parent, std::string_view name) {
    std::optional<Dwarf_Die> found;
    for_each_child(parent, [&](Dwarf_Die child) {
        const bool fits = dwarf_tag(&child) == DW_TAG_variable && entry_name(child) == name &&
                          dwarf_hasattr(&child, DW_AT_location) != 0;
        if (fits) found = child;
        return !fits;
    });
    return found;
}

}  // namespace

std::vector<LocalVariable> visible_variables(const Module& module, std::uint64_t linked_address) {
    ScopeIndex* scopes = module.c_library ? nullptr : module.image->scopes();
    if (scopes == nullptr) return {};
    return Collector().run(scopes->at(linked_address));
}

std::optional<Dwarf_Die> used_variable(const Module& module,
                                       std::uint64_t linked_address,
                                       std::string_view name) {
    ScopeIndex* scopes = module.c_library ? nullptr : module.image->scopes();
    if (scopes == nullptr) return std::nullopt;
    std::optional<Dwarf_Die> found;
    for (const Dwarf_Die scope : scopes->at(linked_address)) {
        for_each_child(scope, [&](Dwarf_Die child) {
            const int tag = dwarf_tag(&child);
            const auto import = referred(child, DW_AT_import);
            if (!import) return true;
            Dwarf_Die imported = *import;
            // USE MODULE, ONLY: NAME => OTHER_NAME
            const std::string_view alias =
                entry_name(child).empty() ? entry_name(imported) : entry_name(child);
            if (tag == DW_TAG_imported_declaration && alias == name &&
                dwarf_tag(&imported) == DW_TAG_variable) {
                found = imported;
            } else if (tag == DW_TAG_imported_module) {
                found = child_variable(imported, name);
            }
            return !found;
        });
        if (found) return found;
    }
    return std::nullopt;
}

bool is_fortran_at(const Module& module, std::uint64_t linked_address) {
    const CompileUnits* units = module.c_library ? nullptr : module.image->units();
    const Dwarf_Die* unit = units == nullptr ? nullptr : units->at(linked_address);
    return unit != nullptr && is_fortran(*unit);
}

}  // namespace mqinspect::target
