/// What the rules are about, for machines and people that read SARIF.
#pragma once

#include "thread_level/analysis/assessment.h"

namespace mqinspect::thread_level::link {

struct RuleText {
    const char* name;     ///< "ConcurrentCollectives"
    const char* summary;  ///< one sentence
    const char* help;     ///< why it is wrong, and what to do about it
    Severity severity;    ///< where nothing else is said
};
const RuleText& text_of(Rule rule);

}  // namespace mqinspect::thread_level::link
