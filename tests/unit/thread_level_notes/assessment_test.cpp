// What the analysis says of a program is the same with all facts and with those of the notes.
#include "thread_level/analysis/assessment.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/thread_level_notes/random_unit.h"

#include "thread_level/facts/join.h"
#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level {
namespace {

std::string text_of(const Unit& unit, const Place& place) {
    return unit.strings[place.file] + ":" + std::to_string(place.line);
}

/// All but what the numbers of regions and the way to a call make different.
std::multiset<std::string> summary_of(const Unit& unit, const Assessment& assessment) {
    std::multiset<std::string> lines;
    lines.insert(std::string("required ") + name_of(assessment.required));
    for (const Level level : assessment.requested)
        lines.insert(std::string("requested ") + name_of(level));
    for (const Diagnostic& each : assessment.diagnostics)
        lines.insert(text_of(unit, each.place) + " " + option_of(each.rule) + " " + each.message);
    for (const Site& site : assessment.sites) {
        if (site.states == 0) continue;
        const Step& step = unit.functions[site.function].steps[site.step];
        lines.insert("site " + text_of(unit, step.place) + " " + name_of(site.required) + " " +
                     std::to_string(site.states));
    }
    return lines;
}

std::string differences(const std::multiset<std::string>& a, const std::multiset<std::string>& b) {
    std::string text;
    for (const std::string& line : a)
        if (!b.contains(line)) text += "- " + line + "\n";
    for (const std::string& line : b)
        if (!a.contains(line)) text += "+ " + line + "\n";
    return text;
}

TEST(Notes, TheAssessmentOfAProgramStaysWhatItIs) {
    for (std::uint32_t seed = 2; seed < 1500; seed += 2) {
        const Unit a = random_unit(seed);
        const Unit b = random_unit(seed + 1);
        const Decoded noted = decode(encode(a) + encode(b));
        ASSERT_EQ("", noted.error);
        const Unit whole = join({a, b});
        const Unit small = join(noted.units);
        Settings settings;
        settings.whole_program = seed % 4 == 0;

        const std::string text = differences(summary_of(whole, assess(whole, settings)),
                                             summary_of(small, assess(small, settings)));

        EXPECT_EQ("", text) << "seed " << seed;
    }
}

}  // namespace
}  // namespace mqinspect::thread_level
