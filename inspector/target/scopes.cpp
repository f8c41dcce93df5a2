#include "inspector/target/scopes.h"

#include <algorithm>
#include <cstring>

#include <dwarf.h>

#include "inspector/target/dwarf_types.h"
#include "inspector/target/type_names.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {
namespace {

constexpr int kMaxDepth = 128;
constexpr int kMaxEntries = 1 << 22;
constexpr std::size_t kMaxArguments = 256;
constexpr std::size_t kMaxConstantBytes = 65536;

// Adds the scopes below `parent` that hold the address, outermost first.
void descend(Dwarf_Die parent, std::uint64_t address, std::vector<Dwarf_Die>& scopes) {
    for (int depth = 0; depth < kMaxDepth; ++depth) {
        bool found = false;
        Dwarf_Die scope{};
        for_each_child(parent, [&](Dwarf_Die child) {
            const int tag = dwarf_tag(&child);
            if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
                tag != DW_TAG_lexical_block) {
                return true;
            }
            found = dwarf_haspc(&child, address) == 1;
            if (found) scope = child;
            return !found;
        });
        if (!found) return;
        scopes.push_back(scope);
        parent = scope;
    }
}

// Functions are at the top of a unit, or in a namespace, module or class; those
// that Fortran's CONTAINS or GNU C nests are in another function.
class FunctionSearch {
public:
    explicit FunctionSearch(std::uint64_t address) : address_(address) {}

    std::optional<Dwarf_Die> below(Dwarf_Die parent) {
        descend(parent, 0);
        return function_;
    }

private:
    void descend(Dwarf_Die parent, int depth) {
        if (depth > kMaxDepth) return;
        for_each_child(parent, [&](Dwarf_Die child) {
            visit(child, depth);
            return !function_ && ++entries_ < kMaxEntries;
        });
    }

    void visit(Dwarf_Die child, int depth) {
        switch (dwarf_tag(&child)) {
            case DW_TAG_subprogram:
                if (dwarf_haspc(&child, address_) == 1) {
                    function_ = child;
                    return;
                }
                return descend(child, depth + 1);
            case DW_TAG_namespace:
            case DW_TAG_module:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
                return descend(child, depth + 1);
            default:
                return;
        }
    }

    std::uint64_t address_;
    std::optional<Dwarf_Die> function_;
    int entries_ = 0;  // entries that lead to each other would be visited again and again
};

bool is_variable(Dwarf_Die die) {
    const int tag = dwarf_tag(&die);
    return (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) &&
           dwarf_hasattr(&die, DW_AT_declaration) == 0;
}

// Of any kind, or only of the given one.
std::optional<Dwarf_Die> child_named(Dwarf_Die scope, std::string_view name, int tag = 0) {
    std::optional<Dwarf_Die> found;
    for_each_child(scope, [&](Dwarf_Die child) {
        const bool fits = is_variable(child) && (tag == 0 || dwarf_tag(&child) == tag) &&
                          entry_name(child) == name;
        if (fits) found = child;
        return !fits;
    });
    return found;
}

std::vector<std::byte> constant_bytes(Dwarf_Attribute& attribute,
                                      std::optional<std::uint64_t> size) {
    Dwarf_Block block{};
    std::vector<std::byte> bytes;
    if (dwarf_formblock(&attribute, &block) == 0) {
        if (block.length > kMaxConstantBytes) return {};
        const auto* data = reinterpret_cast<const std::byte*>(block.data);
        bytes.assign(data, data + block.length);
        return bytes;
    }
    if (const char* text = dwarf_formstring(&attribute)) {
        const auto* data = reinterpret_cast<const std::byte*>(text);
        bytes.assign(data, data + std::strlen(text) + 1);
        return bytes;
    }
    Dwarf_Word word = 0;
    if (dwarf_formudata(&attribute, &word) != 0 || !size || *size > sizeof word) return {};
    bytes.resize(*size);
    std::memcpy(bytes.data(), &word, bytes.size());
    return bytes;
}

bool returns_to(Dwarf_Die site, std::uint64_t return_address) {
    Dwarf_Attribute attribute{};
    Dwarf_Addr address = 0;
    const unsigned name =
        dwarf_tag(&site) == DW_TAG_call_site ? DW_AT_call_return_pc : DW_AT_low_pc;
    return dwarf_attr(&site, name, &attribute) != nullptr &&
           dwarf_formaddr(&attribute, &address) == 0 && address == return_address;
}

std::optional<CallSite::Argument> argument_of(Dwarf_Die parameter) {
    Dwarf_Attribute location{};
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_attr(&parameter, DW_AT_location, &location) == nullptr ||
        dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) {
        return std::nullopt;
    }
    CallSite::Argument argument;
    const unsigned atom = operations[0].atom;
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
        argument.dwarf_register = atom - DW_OP_reg0;
    } else if (atom == DW_OP_regx) {
        argument.dwarf_register = operations[0].number;
    } else {
        return std::nullopt;
    }
    if (dwarf_attr(&parameter, DW_AT_call_value, &argument.attribute) == nullptr &&
        dwarf_attr(&parameter, DW_AT_GNU_call_site_value, &argument.attribute) == nullptr) {
        return std::nullopt;
    }
    if (dwarf_getlocation(&argument.attribute, &operations, &count) != 0) return std::nullopt;
    argument.value = {operations, count};
    return argument;
}

CallSite read_call_site(Dwarf_Die die) {
    CallSite site{.die = die, .arguments = {}};
    for_each_child(die, [&site](Dwarf_Die child) {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_call_site_parameter && tag != DW_TAG_GNU_call_site_parameter) return true;
        if (auto argument = argument_of(child)) site.arguments.push_back(*argument);
        return site.arguments.size() < kMaxArguments;
    });
    return site;
}

}  // namespace

VariableSite variable_site(Dwarf_Die die, std::uint64_t address) {
    VariableSite site;
    site.is_parameter = dwarf_tag(&die) == DW_TAG_formal_parameter;
    site.type = type_name_of(die);
    Dwarf_Die type{};
    if (type_of(die, type)) site.size = type_size(type);

    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_attr_integrate(&die, DW_AT_location, &site.attribute) != nullptr) {
        if (dwarf_getlocation_addr(&site.attribute, address, &operations, &count, 1) == 1)
            site.location = {operations, count};
        return site;
    }
    Dwarf_Attribute constant{};
    if (dwarf_attr_integrate(&die, DW_AT_const_value, &constant) != nullptr)
        site.constant = constant_bytes(constant, site.size);
    return site;
}

ScopeIndex::Place& ScopeIndex::place(std::uint64_t address) {
    const auto known = places_.find(address);
    if (known != places_.end()) return known->second;
    Place& place = places_[address];
    const Dwarf_Die* unit = units_.at(address);
    if (unit == nullptr) return place;
    const auto function = FunctionSearch(address).below(*unit);
    if (!function) return place;
    place.scopes.push_back(*function);
    descend(*function, address, place.scopes);
    std::reverse(place.scopes.begin(), place.scopes.end());
    return place;
}

const std::vector<Dwarf_Die>& ScopeIndex::at(std::uint64_t address) {
    return place(address).scopes;
}

const VariableSite* ScopeIndex::variable(std::uint64_t address, std::string_view name) {
    Place& here = place(address);
    const auto [slot, added] = here.variables.try_emplace(std::string(name));
    std::optional<VariableSite>& site = slot->second;
    if (!added || here.scopes.empty()) return site ? &*site : nullptr;
    // The function's own parameters first: functions inlined into it often have
    // parameters of the same name, with other values.
    const Dwarf_Die function = here.scopes.back();
    auto die = child_named(function, name, DW_TAG_formal_parameter);
    const auto origin = origin_of(function);
    if (!die && origin) die = child_named(*origin, name, DW_TAG_formal_parameter);
    for (std::size_t i = 0; !die && i < here.scopes.size(); ++i) {
        die = child_named(here.scopes[i], name);
        // A variable that has no place anywhere is only in the abstract scope.
        const auto abstract = die ? std::nullopt : origin_of(here.scopes[i]);
        if (abstract) die = child_named(*abstract, name);
    }
    if (die) site = variable_site(*die, address);
    return site ? &*site : nullptr;
}

const VariableSite* ScopeIndex::frame_base(std::uint64_t address) {
    Place& here = place(address);
    if (!here.frame_base_read) {
        here.frame_base_read = true;
        // Of the innermost function; blocks and inlined calls share its frame.
        const auto function =
            std::find_if(here.scopes.begin(), here.scopes.end(), [](Dwarf_Die die) {
                return dwarf_tag(&die) == DW_TAG_subprogram;
            });
        VariableSite site;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (function != here.scopes.end() &&
            dwarf_attr_integrate(&*function, DW_AT_frame_base, &site.attribute) != nullptr &&
            dwarf_getlocation_addr(&site.attribute, address, &operations, &count, 1) == 1) {
            site.location = {operations, count};
            here.frame_base = std::move(site);
        }
    }
    return here.frame_base ? &*here.frame_base : nullptr;
}

const CallSite* ScopeIndex::call_site(std::uint64_t return_address) {
    const auto [slot, added] = call_sites_.try_emplace(return_address);
    if (added) {
        for (const Dwarf_Die scope : place(return_address - 1).scopes) {
            if (slot->second) break;
            for_each_child(scope, [&, &site = slot->second](Dwarf_Die child) {
                const int tag = dwarf_tag(&child);
                if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site) return true;
                if (returns_to(child, return_address)) site = read_call_site(child);
                return !site;
            });
        }
    }
    return slot->second ? &*slot->second : nullptr;
}

std::optional<Dwarf_Die> origin_of(Dwarf_Die die) {
    Dwarf_Attribute attribute{};
    Dwarf_Die origin{};
    for (const unsigned name : {DW_AT_abstract_origin, DW_AT_specification}) {
        if (dwarf_attr(&die, name, &attribute) != nullptr &&
            dwarf_formref_die(&attribute, &origin) != nullptr) {
            return origin;
        }
    }
    return std::nullopt;
}

std::vector<std::string> parameters_of(Dwarf_Die function) {
    const auto list = [](Dwarf_Die die) {
        std::vector<std::string> names;
        for_each_child(die, [&names](Dwarf_Die child) {
            if (dwarf_tag(&child) == DW_TAG_formal_parameter) names.emplace_back(entry_name(child));
            return names.size() < kMaxArguments;
        });
        return names;
    };
    auto names = list(function);
    const auto origin = origin_of(function);
    if (!origin) return names;
    auto declared = list(*origin);
    return declared.size() > names.size() ? declared : names;
}

}  // namespace mqinspect::target
