// The number of processes on the first line of standard input, statements of a recorded run
// (tests/support/execution_builder.h) on the others; on standard output the page of what is wrong.
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "analysis/check.h"
#include "analysis/run_profile.h"
#include "report/findings_html.h"
#include "tests/support/execution_builder.h"

namespace {

using namespace mqinspect;

void print(int processes, const std::string& statements) {
    const auto recording = test::recording_of(processes, statements);
    const analysis::Findings findings = analysis::check(*recording, {});
    const analysis::RunProfile profile = analysis::profile(*recording, findings);
    std::vector<report::ResolvedStack> stacks;
    for (const auto& places : recording->execution().stacks) {
        report::ResolvedStack& stack = stacks.emplace_back();
        for (const model::CodePlace& place : places) {
            model::Frame frame;
            frame.function = "main";
            frame.location = {MQI_SOURCE, static_cast<int>(place.offset)};
            stack.frames.push_back(frame);
        }
    }
    std::cout << report::print_findings_html(
        {recording->execution(), findings, profile, stacks, {{"reading", 0.25}}, "rec", "1"});
}

}  // namespace

int main() {
    try {
        std::string count;
        std::getline(std::cin, count);
        print(std::stoi(count), {std::istreambuf_iterator<char>(std::cin), {}});
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
        return 1;
    }
    return std::cout ? 0 : 1;
}
