#include "inspector/target/demangled.h"

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace mqinspect::target {

namespace {

/// What a name may have behind its parameters.
constexpr std::string_view kBehind[] = {" const", " volatile", " &", " &&", " noexcept"};

bool drop_end(std::string_view& name, std::string_view end) {
    if (!name.ends_with(end)) return false;
    name.remove_suffix(end.size());
    return true;
}

/// "f(int) [clone .cold]" has "f(int)".
std::string_view without_clone(std::string_view name) {
    while (name.ends_with(']')) {
        const std::size_t begin = name.rfind(" [clone ");
        if (begin == std::string_view::npos) break;
        name = name.substr(0, begin);
    }
    return name;
}

std::string_view without_parameters(std::string_view name) {
    std::string_view rest = without_clone(name);
    for (bool dropped = true; dropped;) {
        dropped = false;
        for (const std::string_view end : kBehind)
            dropped = dropped || drop_end(rest, end);
    }
    if (!rest.ends_with(')')) return name;
    int open = 0;
    for (std::size_t at = rest.size(); at-- > 0;) {
        if (rest[at] == ')') ++open;
        if (rest[at] == '(' && --open == 0) return at == 0 ? name : rest.substr(0, at);
    }
    return name;
}

}  // namespace

std::string demangled(std::string_view symbol) {
    constexpr std::size_t longest = 2048;  // the demangler recurses
    if (!symbol.starts_with("_Z") || symbol.size() > longest) return std::string(symbol);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || name == nullptr) return std::string(symbol);
    return std::string(without_parameters(name.get()));
}

}  // namespace mqinspect::target
