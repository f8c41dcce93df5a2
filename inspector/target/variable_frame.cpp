#include "inspector/target/variable_frame.h"

#include <dwarf.h>

#include "inspector/target/thread_local.h"

namespace mqinspect::target {
namespace {

// An entry value may rest on the caller's own entry values.
constexpr int kMaxCallers = 8;

std::optional<std::uint64_t> entry_address(Dwarf_Die function) {
    Dwarf_Addr address = 0;
    if (dwarf_entrypc(&function, &address) == 0) return address;
    Dwarf_Addr base = 0;
    Dwarf_Addr end = 0;
    if (dwarf_ranges(&function, 0, &base, &address, &end) > 0) return address;
    return std::nullopt;
}

bool same_entry(Dwarf_Die a, Dwarf_Die b) {
    return a.addr == b.addr;
}

}  // namespace

std::uint64_t linked_lookup_address(const Module& module, const UnwoundFrame& frame) {
    return module.linked(frame.pc) - (frame.is_return_address ? 1 : 0);
}

Result<std::uint64_t> VariableFrame::frame_base() const {
    const VariableSite* base =
        module_.image->scopes()->frame_base(linked_lookup_address(module_, frame()));
    if (base == nullptr || evaluating_base_)
        return Error{ErrorCode::BadAddress, "the function has no frame base"};
    evaluating_base_ = true;
    Dwarf_Attribute attribute = base->attribute;
    const auto parts = evaluate(base->location, &attribute, *this);
    evaluating_base_ = false;
    if (!parts) return parts.error();
    const ValuePart& part = parts->front();
    if (part.kind == ValuePart::Kind::Register) {
        if (part.value < registers().size() && registers()[part.value])
            return *registers()[part.value];
        return Error{ErrorCode::BadAddress, "the frame base is not known"};
    }
    return part.value;
}

Result<std::uint64_t> VariableFrame::thread_local_address(std::uint64_t offset) const {
    return target::thread_local_address(view_, memory_, module_, stack_.thread_pointer, offset);
}

Result<std::uint64_t> VariableFrame::entry_value(unsigned dwarf_register) const {
    const auto unknown = [] {
        return Error{ErrorCode::BadAddress, "the caller does not say what it passed"};
    };
    if (callers_ >= kMaxCallers || index_ + 1 >= stack_.frames.size()) return unknown();
    const UnwoundFrame& caller = stack_.frames[index_ + 1];
    const Module* module = view_.module_at(caller.pc);
    if (!caller.is_return_address || module == nullptr || module->image->scopes() == nullptr)
        return unknown();
    const CallSite* site = module->image->scopes()->call_site(module->linked(caller.pc));
    const VariableFrame frame(view_, stack_, index_ + 1, memory_, *module, callers_ + 1);
    if (site == nullptr || !calls_us(*site, frame)) return unknown();
    for (const CallSite::Argument& argument : site->arguments) {
        if (argument.dwarf_register != dwarf_register) continue;
        Dwarf_Attribute attribute = argument.attribute;
        const auto parts = TRY(evaluate(argument.value, &attribute, frame));
        // The expression computes the value itself.
        const ValuePart& part = parts.front();
        if (part.kind == ValuePart::Kind::Memory || part.kind == ValuePart::Kind::Value)
            return part.value;
    }
    return unknown();
}

// Between the caller and us there may have been a function that left by a
// tail call; then the call site speaks of that one's arguments.
bool VariableFrame::calls_us(const CallSite& site, const VariableFrame& caller) const {
    const auto& scopes = module_.image->scopes()->at(linked_lookup_address(module_, frame()));
    if (scopes.empty()) return false;
    const Dwarf_Die function = scopes.back();
    const auto entry = entry_address(function);
    if (!entry) return false;
    Dwarf_Die die = site.die;
    Dwarf_Attribute attribute{};
    Dwarf_Die callee{};
    if ((dwarf_attr(&die, DW_AT_call_origin, &attribute) != nullptr ||
         dwarf_attr(&die, DW_AT_abstract_origin, &attribute) != nullptr) &&
        dwarf_formref_die(&attribute, &callee) != nullptr) {
        const auto origin = origin_of(function);
        if (same_entry(callee, function) || (origin && same_entry(callee, *origin))) return true;
        const auto symbol = symbol_of(callee);
        return symbol && *symbol == *entry;
    }
    if (dwarf_attr(&die, DW_AT_call_target, &attribute) == nullptr &&
        dwarf_attr(&die, DW_AT_GNU_call_site_target, &attribute) == nullptr) {
        return false;
    }
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) != 0) return false;
    const auto parts = evaluate({operations, count}, &attribute, caller);
    return parts && parts->front().value == *entry + module_.bias;
}

// The address in our image of a function that another one declares.
std::optional<std::uint64_t> VariableFrame::symbol_of(Dwarf_Die callee) const {
    Dwarf_Attribute attribute{};
    const char* name = nullptr;
    if (dwarf_attr_integrate(&callee, DW_AT_linkage_name, &attribute) != nullptr)
        name = dwarf_formstring(&attribute);
    if (name == nullptr) name = dwarf_diename(&callee);
    const auto symbol = name == nullptr ? std::nullopt : module_.image->find_symbol(name);
    return symbol ? std::optional(symbol->address) : std::nullopt;
}

}  // namespace mqinspect::target
