/// Which findings the user wants to see, and as what.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "thread_level/link/finding.h"
#include "thread_level/link/source_lines.h"

namespace mqinspect::thread_level::link {

/// One line of a file of suppressions. Words with * and ? stand for many.
struct Suppression {
    int line = 0;
    std::string rule = "*";
    std::string function = "*";
    std::string callee = "*";
    std::string path = "*";
    std::string reason;
    bool was_used = false;
};

struct Suppressions {
    std::vector<Suppression> entries;
    std::string error;  ///< "line 3: ..."; empty: there is none
};
/// "rule=GLOB function=GLOB callee=GLOB path=GLOB reason=TEXT" on each line; the reason has to be
/// there, and is the last. '#' starts a comment.
Suppressions parse_suppressions(std::string_view text);

/// What -Werror, -Werror=RULE, -Wno-RULE, -Wno-error=RULE and -WRULE come to.
class WarningOptions {
public:
    /// `text` is without the "-W". False: no such rule.
    bool add(std::string_view text);
    bool is_enabled(Rule rule) const { return !disabled_.contains(rule); }
    bool is_error(Rule rule) const;

private:
    bool all_are_errors_ = false;
    std::set<Rule> disabled_, errors_, not_errors_;
};

/// Fingerprints of a report that was written as JSON or SARIF. `error`: it is none.
std::set<std::string> read_baseline(const std::string& text, std::string& error);

/// Takes findings out of the report and counts them there; promotes warnings to errors.
void apply(Report& report,
           const WarningOptions& warnings,
           Suppressions& suppressions,
           const std::set<std::string>& baseline,
           SourceLines& sources);

}  // namespace mqinspect::thread_level::link
