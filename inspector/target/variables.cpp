#include <algorithm>
#include <cstring>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/dwarf_expression.h"
#include "inspector/target/scopes.h"
#include "inspector/target/stack.h"

namespace mqinspect::target {
namespace {

// An entry value may rest on the caller's own entry values.
constexpr int kMaxCallers = 8;
constexpr std::uint64_t kMaxValueBytes = std::uint64_t{1} << 20;

// The instruction by which scopes and locations are chosen: for a frame that
// waits for a call to return, the call.
std::uint64_t lookup_address(const Module& module, const UnwoundFrame& frame) {
    return module.linked(frame.pc) - (frame.is_return_address ? 1 : 0);
}

Error no_value(std::string_view name, std::string_view why) {
    return {ErrorCode::BadAddress, fmt::format("{} has no value here: {}", name, why)};
}

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

class VariableFrame final : public ExpressionFrame {
public:
    VariableFrame(const ProcessView& view,
                  const UnwoundStack& stack,
                  std::size_t index,
                  const Memory& memory,
                  const Module& module,
                  int callers = 0)
        : view_(view),
          stack_(stack),
          index_(index),
          memory_(memory),
          module_(module),
          callers_(callers) {}

    const Memory& memory() const override { return memory_; }
    const FrameRegisters& registers() const override { return frame().registers; }
    std::optional<std::uint64_t> cfa() const override { return frame().cfa; }
    std::uint64_t bias() const override { return module_.bias; }

    Result<std::uint64_t> frame_base() const override {
        const VariableSite* base =
            module_.image->scopes()->frame_base(lookup_address(module_, frame()));
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

    Result<std::uint64_t> entry_value(unsigned dwarf_register) const override {
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

private:
    const UnwoundFrame& frame() const { return stack_.frames[index_]; }

    // Between the caller and us there may have been a function that left by a
    // tail call; then the call site speaks of that one's arguments.
    bool calls_us(const CallSite& site, const VariableFrame& caller) const {
        const auto& scopes = module_.image->scopes()->at(lookup_address(module_, frame()));
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
            if (same_entry(callee, function) || (origin && same_entry(callee, *origin)))
                return true;
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
    std::optional<std::uint64_t> symbol_of(Dwarf_Die callee) const {
        Dwarf_Attribute attribute{};
        const char* name = nullptr;
        if (dwarf_attr_integrate(&callee, DW_AT_linkage_name, &attribute) != nullptr)
            name = dwarf_formstring(&attribute);
        if (name == nullptr) name = dwarf_diename(&callee);
        const auto symbol = name == nullptr ? std::nullopt : module_.image->find_symbol(name);
        return symbol ? std::optional(symbol->address) : std::nullopt;
    }

    const ProcessView& view_;
    const UnwoundStack& stack_;
    std::size_t index_;
    const Memory& memory_;
    const Module& module_;
    int callers_;
    mutable bool evaluating_base_ = false;
};

// Appends `size` bytes of one part.
Result<Done> append(const ValuePart& part,
                    std::uint64_t size,
                    const VariableFrame& frame,
                    std::string_view name,
                    std::vector<std::byte>& bytes) {
    const std::size_t start = bytes.size();
    bytes.resize(start + size);
    const std::span destination = std::span{bytes}.subspan(start);
    std::uint64_t word = part.value;
    switch (part.kind) {
        case ValuePart::Kind::Memory:
            return frame.memory().read(Address{part.value}, destination);
        case ValuePart::Kind::Register:
            if (part.value >= frame.registers().size())
                return no_value(name, "it is in a vector register");
            if (!frame.registers()[part.value])
                return no_value(name, "its register was overwritten by a called function");
            word = *frame.registers()[part.value];
            [[fallthrough]];
        case ValuePart::Kind::Value:
            if (size > sizeof word) return no_value(name, "its location is too small");
            std::memcpy(destination.data(), &word, size);
            return Done{};
        case ValuePart::Kind::Bytes:
            if (size > part.bytes.size()) return no_value(name, "its constant is too small");
            std::copy_n(part.bytes.begin(), size, destination.begin());
            return Done{};
        case ValuePart::Kind::Unavailable:
            break;
    }
    return no_value(name, "optimised out");
}

Result<Variable> read_site(const VariableSite& site,
                           const VariableFrame& frame,
                           std::string_view name) {
    Variable variable{.name = std::string(name),
                      .bytes = {},
                      .address = std::nullopt,
                      .is_parameter = site.is_parameter,
                      .type = site.type};
    if (!site.constant.empty()) {
        variable.bytes = site.constant;
        return variable;
    }
    if (site.location.empty()) return no_value(name, "optimised out");
    if (!site.size || *site.size > kMaxValueBytes)
        return no_value(name, "its type has no size, or is larger than 1 MiB");

    Dwarf_Attribute attribute = site.attribute;
    const auto parts = evaluate(site.location, &attribute, frame);
    if (!parts) return Error{ErrorCode::BadAddress, parts.error().message}.in(name);
    for (const ValuePart& part : *parts) {
        const std::uint64_t rest = *site.size - variable.bytes.size();
        TRY(append(part, std::min(part.size.value_or(rest), rest), frame, name, variable.bytes));
    }
    if (variable.bytes.size() != *site.size) return no_value(name, "only a part of it is left");
    const ValuePart& first = parts->front();
    if (parts->size() == 1 && first.kind == ValuePart::Kind::Memory)
        variable.address = Address{first.value};
    return variable;
}

}  // namespace

Result<Variable> read_variable(const ProcessView& view,
                               const UnwoundStack& stack,
                               std::size_t index,
                               const Memory& memory,
                               std::string_view name) {
    const auto missing = [name](std::string_view why) {
        return Error{ErrorCode::MissingDebugInfo, fmt::format("no variable {}: {}", name, why)};
    };
    if (index >= stack.frames.size()) return missing("no such frame");
    const UnwoundFrame& frame = stack.frames[index];
    const Module* module = view.module_at(frame.pc);
    ScopeIndex* scopes = module == nullptr ? nullptr : module->image->scopes();
    if (scopes == nullptr) return missing("the frame's code has no debug information");
    const VariableSite* site = scopes->variable(lookup_address(*module, frame), name);
    if (site == nullptr) return missing("the function has none of that name");
    return read_site(*site, VariableFrame(view, stack, index, memory, *module), name);
}

std::optional<std::uint64_t> call_site_value(const ProcessView& view,
                                             const UnwoundStack& stack,
                                             std::size_t caller,
                                             const Memory& memory,
                                             unsigned dwarf_register) {
    if (caller >= stack.frames.size()) return std::nullopt;
    const Module* module = view.module_at(stack.frames[caller].pc);
    ScopeIndex* scopes = module == nullptr ? nullptr : module->image->scopes();
    if (scopes == nullptr) return std::nullopt;
    const CallSite* site = scopes->call_site(module->linked(stack.frames[caller].pc));
    if (site == nullptr) return std::nullopt;
    const VariableFrame frame(view, stack, caller, memory, *module);
    for (const CallSite::Argument& argument : site->arguments) {
        if (argument.dwarf_register != dwarf_register) continue;
        Dwarf_Attribute attribute = argument.attribute;
        const auto parts = evaluate(argument.value, &attribute, frame);
        if (!parts || parts->size() != 1) return std::nullopt;
        const ValuePart& part = parts->front();
        const bool computed =
            part.kind == ValuePart::Kind::Memory || part.kind == ValuePart::Kind::Value;
        return computed ? std::optional(part.value) : std::nullopt;
    }
    return std::nullopt;
}

std::vector<std::string> parameter_names(const ProcessView& view, const UnwoundFrame& frame) {
    const Module* module = view.module_at(frame.pc);
    ScopeIndex* scopes = module == nullptr ? nullptr : module->image->scopes();
    if (scopes == nullptr) return {};
    const auto& found = scopes->at(lookup_address(*module, frame));
    return found.empty() ? std::vector<std::string>{} : parameters_of(found.back());
}

}  // namespace mqinspect::target
