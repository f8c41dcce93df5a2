#include "mqs_dll/function_names.h"

namespace mqinspect::dll {

std::uint32_t FunctionNames::find_or_read(const Target& target, std::uint64_t address) {
    constexpr std::size_t most = 512;
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (names_[i].address == address) return static_cast<std::uint32_t>(i + 1);
    Name name;
    name.address = address;
    if (names_.size() == most || !ok(target.read(address, name.text, sizeof name.text - 1)))
        return 0;
    for (const char* c = name.text; *c != '\0'; ++c) {
        const bool allowed = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                             (*c >= '0' && *c <= '9') || *c == '_';
        if (!allowed) return 0;
    }
    return names_.push(name) ? static_cast<std::uint32_t>(names_.size()) : 0;
}

}  // namespace mqinspect::dll
