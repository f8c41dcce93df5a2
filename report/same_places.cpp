#include "report/same_places.h"

#include <map>
#include <string>

#include "analysis/combine.h"

namespace mqinspect::report {

namespace {

using analysis::FindingClass;

bool is_leak(FindingClass finding_class) {
    switch (finding_class) {
        case FindingClass::LeakedCommunicator:
        case FindingClass::LeakedGroup:
        case FindingClass::LeakedDatatype:
        case FindingClass::LeakedOperator:
        case FindingClass::LeakedWindow:
        case FindingClass::LeakedFile:
        case FindingClass::LeakedInfo:
        case FindingClass::LeakedErrorHandler:
        case FindingClass::LeakedAttributeKey:
            return true;
        default:
            return false;
    }
}

/// Empty: too little is known to compare it.
std::string key_of(const ResolvedStack& stack, bool all_lines) {
    std::string key;
    for (std::size_t at = stack.user_frame; at < stack.frames.size(); ++at) {
        const model::Frame& frame = stack.frames[at];
        if (frame.function.empty() || frame.location.line == 0) return {};
        key += frame.function + '\0' + frame.location.file + '\0';
        if (all_lines || at == stack.user_frame) key += std::to_string(frame.location.line) + '\0';
    }
    return key;
}

/// By StackId: the first one that is as good as equal.
std::vector<int> first_equal(const std::vector<ResolvedStack>& stacks, bool all_lines) {
    std::map<std::string, int> known;
    std::vector<int> result;
    result.reserve(stacks.size());
    for (const ResolvedStack& stack : stacks) {
        const int own = static_cast<int>(result.size());
        const std::string key = key_of(stack, all_lines);
        result.push_back(key.empty() ? own : known.try_emplace(key, own).first->second);
    }
    return result;
}

}  // namespace

void merge_same_places(analysis::Findings& findings, const std::vector<ResolvedStack>& stacks) {
    if (findings.findings.size() < 2) return;
    const std::vector<int> by_lines = first_equal(stacks, true);
    const std::vector<int> by_functions = first_equal(stacks, false);
    merge_equal(findings, [&](FindingClass finding_class, model::StackId stack) {
        if (stack.value < 0 || stack.index() >= stacks.size()) return stack.value;
        return (is_leak(finding_class) ? by_functions : by_lines)[stack.index()];
    });
}

}  // namespace mqinspect::report
