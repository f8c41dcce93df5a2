#include "report/same_places.h"

#include <algorithm>
#include <map>
#include <string>

#include "analysis/merge_findings.h"
#include "report/call_text.h"

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
        case FindingClass::LeakedMemory:
        case FindingClass::LeakedPort:
            return true;
        default:
            return false;
    }
}

/// What two stacks are compared by, from the user's innermost frame on.
enum class By { Lines, Functions, Innermost };

/// Empty: too little is known to compare it.
std::string key_of(const ResolvedStack& stack, By by) {
    std::string key;
    for (std::size_t at = stack.user_frame; at < stack.frames.size(); ++at) {
        const bool innermost = at == stack.user_frame;
        const model::Frame& frame = stack.frames[at];
        if (frame.function.empty() || frame.location.line == 0) {
            if (frame.image.empty()) return {};
            key += code_text(frame) + '\0';
        } else {
            key += frame.function + '\0' + frame.location.file + '\0';
            if (by == By::Lines || innermost) key += std::to_string(frame.location.line) + '\0';
        }
        if (by == By::Innermost) break;
    }
    return key;
}

/// By StackId: the first one that is as good as equal.
std::vector<int> first_equal(const std::vector<ResolvedStack>& stacks, By by) {
    std::map<std::string, int> known;
    std::vector<int> result;
    result.reserve(stacks.size());
    for (const ResolvedStack& stack : stacks) {
        const int own = static_cast<int>(result.size());
        const std::string key = key_of(stack, by);
        result.push_back(key.empty() ? own : known.try_emplace(key, own).first->second);
    }
    return result;
}

/// The innermost caller of the other stack that is not one of the first.
std::string other_caller(model::StackId first,
                         model::StackId other,
                         const std::vector<ResolvedStack>& stacks) {
    const auto known = [&](model::StackId id) {
        return id.value >= 0 && id.index() < stacks.size();
    };
    if (!known(first) || !known(other)) return {};
    const ResolvedStack& left = stacks[first.index()];
    const ResolvedStack& right = stacks[other.index()];
    for (std::size_t i = left.user_frame, j = right.user_frame; j < right.frames.size(); ++i, ++j) {
        const model::SourceLocation& place = right.frames[j].location;
        const bool same = i < left.frames.size() && left.frames[i].location.line == place.line &&
                          left.frames[i].location.file == place.file;
        if (same) continue;
        return place.line == 0 ? code_text(right.frames[j]) : location_text(place, false);
    }
    return {};
}

}  // namespace

void merge_same_places(analysis::Findings& findings, const std::vector<ResolvedStack>& stacks) {
    if (findings.findings.size() < 2) return;
    const std::vector<int> by_lines = first_equal(stacks, By::Lines);
    const std::vector<int> by_functions = first_equal(stacks, By::Functions);
    const auto in = [&](const std::vector<int>& first, model::StackId stack) {
        return stack.value < 0 || stack.index() >= stacks.size() ? stack.value
                                                                 : first[stack.index()];
    };
    merge_equal(findings, [&](FindingClass finding_class, model::StackId stack) {
        return in(is_leak(finding_class) ? by_functions : by_lines, stack);
    });
    const std::vector<int> by_innermost = first_equal(stacks, By::Innermost);
    fold_callers(
        findings,
        [&](FindingClass, model::StackId stack) { return in(by_innermost, stack); },
        [&](const analysis::Finding& one, const analysis::Finding& other) {
            for (std::size_t at = 0; at < std::min(one.calls.size(), other.calls.size()); ++at) {
                std::string caller =
                    other_caller(one.calls[at].stack, other.calls[at].stack, stacks);
                if (!caller.empty()) return caller;
            }
            return std::string();
        });
}

}  // namespace mqinspect::report
