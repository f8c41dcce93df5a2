// Each tests/fixtures/NAME.layout describes a process of an MPICH; what a debugger sees of
// it must be NAME.txt. scripts/update-golden rewrites the latter.
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/described_target.h"
#include "tests/support/seen_text.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> layout_names() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(MQI_FIXTURES)) {
        if (entry.path().extension() == ".layout") {
            names.push_back(entry.path().filename().stem().string());
        }
    }
    return names;
}

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Layouts : public testing::TestWithParam<std::string> {
protected:
    static fs::path file(const char* extension) {
        return fs::path(MQI_FIXTURES) / (GetParam() + extension);
    }
    /// What the DLL says of the target, or why it says nothing.
    SeenQueues look(DescribedTarget& described) {
        SeenQueues seen;
        seen.update = debugger.set_up(described.target);
        if (seen.update == mqs_ok) seen = test::look(described.target);
        StubDebugger::tear_down(described.target);
        EXPECT_EQ(debugger.blocks(), 0U) << "the DLL has not freed what it allocated";
        return seen;
    }

    StubDebugger debugger;
};

TEST_P(Layouts, AreSeenAsExpected) {
    DescribedTarget described(file(".layout"));

    const std::string seen = to_text(look(described));

    if (std::getenv("MQI_UPDATE_GOLDEN") != nullptr) {
        std::ofstream(file(".txt"), std::ios::binary) << seen;
    } else {
        EXPECT_EQ(seen, content(file(".txt"))) << "if it is meant, run scripts/update-golden";
    }
}

std::size_t operations_in(const SeenQueue& queue) {
    return queue.operations.size();
}

bool is_said_to_be_whole(const SeenQueue& queue) {
    return queue.setup == mqs_ok && queue.end == mqs_end_of_list;
}

const SeenCommunicator* find(const SeenQueues& seen, mqs_taddr_t id) {
    for (const SeenCommunicator& communicator : seen.communicators) {
        if (communicator.communicator.unique_id == id) return &communicator;
    }
    return nullptr;
}

/// Nothing is missing from what claims to be whole.
void expect_no_silent_loss(const SeenQueues& whole, const SeenQueues& damaged) {
    for (const SeenCommunicator& expected : whole.communicators) {
        const SeenCommunicator* seen = find(damaged, expected.communicator.unique_id);
        if (seen == nullptr) {
            EXPECT_NE(damaged.end, mqs_end_of_list) << "lost " << expected.communicator.name;
            continue;
        }
        for (const auto queue : {&SeenCommunicator::sends,
                                 &SeenCommunicator::receives,
                                 &SeenCommunicator::messages,
                                 &SeenCommunicator::collectives}) {
            if (!is_said_to_be_whole(seen->*queue)) continue;
            EXPECT_GE(operations_in(seen->*queue), operations_in(expected.*queue))
                << "lost from a queue of " << expected.communicator.name;
        }
    }
}

TEST_P(Layouts, LoseNothingSilentlyWhenAnObjectCannotBeRead) {
    DescribedTarget untouched(file(".layout"));
    const SeenQueues whole = look(untouched);
    for (const auto& [label, object] : untouched.objects) {
        SCOPED_TRACE("unreadable: " + label);
        DescribedTarget described(file(".layout"));
        for (std::size_t i = 0; i < object.bytes; ++i)
            described.memory.forbid(object.address + i);
        expect_no_silent_loss(whole, look(described));
    }
}

// As some debuggers do, and the test of MPICH's own DLL.
TEST_P(Layouts, AreTheSameToADebuggerOfFewAnswers) {
    DescribedTarget described(file(".layout"));
    const SeenQueues whole = look(described);
    debugger.image_callbacks().mqs_sizeof_fp = nullptr;
    debugger.image_callbacks().mqs_find_function_fp = nullptr;
    described.target.invents_types = true;
    described.target.unknown_symbol = -1;

    const SeenQueues seen = look(described);

    if (described.needs_sizes) {
        expect_no_silent_loss(whole, seen);
    } else {
        EXPECT_EQ(to_text(seen), to_text(whole));
    }
}

void damage(FakeMemory& memory, std::mt19937& random) {
    const std::uint64_t address = FakeMemory::kBase + random() % (memory.used() / 4) * 4;
    if (address + 8 > FakeMemory::kBase + memory.used()) return;
    switch (random() % 5) {
        case 0:
            memory.store(address, static_cast<std::uint32_t>(random()));
            break;
        case 1:
            memory.store(address, FakeMemory::kBase + random() % memory.used());
            break;
        case 2:
            memory.store(address, std::uint64_t{random()} << 32);
            break;
        case 3:
            memory.store(address, memory.load<std::uint32_t>(address) ^ 1U << random() % 32);
            break;
        default:
            memory.forbid(address);
            break;
    }
}

TEST_P(Layouts, SurviveRandomDamage) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        DescribedTarget described(file(".layout"));
        for (std::uint32_t i = 0; i <= random() % 24; ++i)
            damage(described.memory, random);
        look(described);
    }
}

INSTANTIATE_TEST_SUITE_P(Mpich,
                         Layouts,
                         testing::ValuesIn(layout_names()),
                         [](const testing::TestParamInfo<std::string>& name) {
                             std::string result = name.param;
                             for (char& c : result) {
                                 if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                             }
                             return result;
                         });

}  // namespace
}  // namespace mqinspect::test
