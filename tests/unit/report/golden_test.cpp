// Each tests/golden/report/NAME.snapshot is parsed, analyzed and printed; the reports
// must be those in NAME.txt, NAME.json, NAME.dot and NAME.csv. scripts/update-golden rewrites them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/deadlock.h"
#include "model/snapshot_text.h"
#include "report/dispatch.h"

namespace mqinspect::report {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(MQI_GOLDEN_REPORTS)) {
        if (entry.path().extension() == ".snapshot") names.push_back(entry.path().stem());
    }
    return names;
}

void expect_golden(const std::string& report, const fs::path& path) {
    if (std::getenv("MQI_UPDATE_GOLDEN") != nullptr) {
        std::ofstream(path, std::ios::binary) << report;
    } else {
        EXPECT_EQ(report, content(path)) << path << ": if it is meant, run scripts/update-golden";
    }
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, ReportIsAsBefore) {
    const fs::path stem = fs::path(MQI_GOLDEN_REPORTS) / GetParam();
    const auto snapshot = model::parse_snapshot(content(stem.string() + ".snapshot"));
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
    const analysis::Verdict verdict = analysis::analyze(*snapshot);

    for (const auto& [format, extension] :
         {std::pair{"text", ".txt"}, {"json", ".json"}, {"dot", ".dot"}, {"csv", ".csv"}}) {
        const auto report = print_report(format, *snapshot, verdict, {});
        ASSERT_TRUE(report.has_value());
        expect_golden(*report, stem.string() + extension);
    }
}

INSTANTIATE_TEST_SUITE_P(Report,
                         Golden,
                         ::testing::ValuesIn(case_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace mqinspect::report
