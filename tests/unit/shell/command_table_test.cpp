#include "inspector/shell/command_table.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace mqinspect::shell {
namespace {

TEST(Commands, AreFoundByNameAndByUniqueAbbreviation) {
    for (const Command& command : commands()) {
        const auto found = find_command(command.name);
        ASSERT_TRUE(found) << command.name;
        EXPECT_EQ((*found)->id, command.id);
    }
    EXPECT_EQ((*find_command("que"))->id, CommandId::Queues);
    EXPECT_EQ((*find_command("con"))->id, CommandId::Continue);
}

TEST(Commands, AnAbbreviationThatFitsSeveralNamesThem) {
    const auto found = find_command("re");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "\"re\" may be report, refresh");
}

TEST(Commands, AnUnknownWordIsShownSafely) {
    const auto found = find_command("x\x1b[2J");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "no command \"x\\x1b[2J\"; \"help\" lists them");
}

TEST(Commands, HaveHelpAndAreEachThereOnce) {
    std::set<std::string_view> names;
    for (const Command& command : commands()) {
        EXPECT_TRUE(names.insert(command.name).second) << command.name;
        EXPECT_FALSE(command.summary.empty()) << command.name;
        EXPECT_LT(command.summary.size(), 60U) << command.name;
    }
}

TEST(Commands, StandInTheManualPage) {
    std::ifstream file(MQI_MANUAL_PAGE);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const Command& command : commands()) {
        const std::string item = ".It Ic " + std::string(command.name);
        EXPECT_NE(page.find(item), std::string::npos) << item;
    }
}

}  // namespace
}  // namespace mqinspect::shell
