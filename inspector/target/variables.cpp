#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "inspector/target/dwarf_expression.h"
#include "inspector/target/scopes.h"
#include "inspector/target/stack.h"
#include "inspector/target/variable_frame.h"

namespace mqinspect::target {
namespace {

constexpr std::uint64_t kMaxValueBytes = std::uint64_t{1} << 20;

Error no_value(std::string_view name, std::string_view why) {
    return {ErrorCode::BadAddress, fmt::format("{} has no value here: {}", name, why)};
}

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
    const VariableSite* site = scopes->variable(linked_lookup_address(*module, frame), name);
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
    const auto& found = scopes->at(linked_lookup_address(*module, frame));
    return found.empty() ? std::vector<std::string>{} : parameters_of(found.back());
}

}  // namespace mqinspect::target
