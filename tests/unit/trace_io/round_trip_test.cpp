// Random programs, written by the tests' own encoder and read back.
#include <random>

#include <gtest/gtest.h>

#include "tests/support/record_writer.h"
#include "tests/support/recorded_folder.h"

#include "trace_io/recording.h"

namespace mqinspect {
namespace {

using model::Direction;
using model::ParameterKind;
using testing::Numbers;
using testing::RecordedFolder;
using testing::RecordWriter;
using testing::WrittenParameter;
using testing::WrittenValue;
using testing::WrittenValues;

struct Expected {
    std::size_t procedure = 0;
    std::int64_t stack_offset = 0;
    WrittenValues enter;
    std::optional<WrittenValues> leave;
    std::int64_t enter_ns = 0;
};

struct Generator {
    std::mt19937_64 random;
    RecordWriter writer{"h.1.1", 5000};
    std::vector<std::vector<WrittenParameter>> procedures;
    std::vector<Expected> calls;  ///< by entry
    std::uint64_t ticks = 0;

    explicit Generator(std::uint64_t seed) : random(seed) {}

    std::uint64_t below(std::uint64_t limit) { return random() % limit; }

    // Kinds whose values are not translated.
    void define_procedures() {
        writer.define_usual(0, 1, 1);
        const std::size_t counts[] = {0, 1, 3, 8, 63, 64, 70};
        for (const std::size_t count : counts) {
            std::vector<WrittenParameter> parameters;
            for (std::size_t i = 0; i < count; ++i) {
                parameters.push_back(
                    {"p" + std::to_string(i),
                     below(4) == 0 ? ParameterKind::AddressList : ParameterKind::Address,
                     static_cast<Direction>(below(3))});
            }
            writer.define_procedure("MPI_P" + std::to_string(count), parameters);
            procedures.push_back(std::move(parameters));
        }
    }

    std::int64_t number() {
        switch (below(4)) {
            case 0:
                return 0;
            case 1:
                return static_cast<std::int64_t>(below(5)) - 2;
            case 2:
                return static_cast<std::int64_t>(random());
            default:
                return below(2) == 0 ? INT64_MIN : INT64_MAX;
        }
    }

    WrittenValues values(std::size_t procedure, Direction without) {
        WrittenValues made;
        for (const WrittenParameter& parameter : procedures[procedure]) {
            if (parameter.direction == without) continue;
            if (parameter.kind == ParameterKind::Address) {
                made.emplace_back(number());
                continue;
            }
            Numbers list(below(5));
            for (std::int64_t& element : list)
                element = number();
            made.emplace_back(std::move(list));
        }
        return made;
    }

    void call(int depth) {
        const std::size_t procedure = below(procedures.size());
        const std::uint64_t stack = 1 + below(3);
        const std::size_t at = calls.size();
        ticks += below(1000);
        calls.push_back({procedure,
                         static_cast<std::int64_t>(0x1000 * stack),
                         values(procedure, Direction::Out),
                         {},
                         static_cast<std::int64_t>(ticks)});
        writer.enter(0, static_cast<std::int64_t>(procedure), stack, ticks, calls[at].enter);
        if (below(20) == 0) writer.end_block(0);
        if (depth < 4 && below(4) == 0) {
            for (std::uint64_t i = below(4); i > 0; --i)
                call(depth + 1);
        }
        if (depth == 0 && below(200) == 0) return;  // then all further ones are inside it
        WrittenValues given = values(procedure, Direction::In);
        given.insert(given.begin(), WrittenValue(std::int64_t(below(3))));
        writer.leave(0, ticks += below(10), given);
        calls[at].leave = std::move(given);
    }
};

void expect_values(const std::vector<WrittenParameter>& parameters,
                   Direction without,
                   const WrittenValues& expected,
                   std::size_t next,
                   std::span<const model::Value> seen) {
    ASSERT_EQ(seen.size(), parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const bool there = parameters[i].direction != without;
        const bool list = parameters[i].kind == ParameterKind::AddressList;
        const Numbers elements = there && list ? std::get<Numbers>(expected[next]) : Numbers{};
        ASSERT_EQ(Numbers(seen[i].list.begin(), seen[i].list.end()), elements);
        ASSERT_EQ(seen[i].number, there && !list ? std::get<0>(expected[next]) : 0);
        if (there) ++next;
    }
}

class RoundTrip : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RoundTrip, ReadsWhatWasWritten) {
    Generator made(GetParam());
    made.define_procedures();
    while (made.calls.size() < 2000)
        made.call(0);
    const RecordedFolder folder;
    made.writer.save(folder.path());

    const auto recording = trace_io::open_recording(folder.path().string());

    ASSERT_TRUE(recording) << recording.error().message;
    const model::Execution& execution = (*recording)->execution();
    ASSERT_TRUE(execution.problems.empty()) << execution.problems.front();
    const auto stream = (*recording)->calls(model::ProcessId(0));
    model::RecordedCall call;
    for (const Expected& expected : made.calls) {
        SCOPED_TRACE(&expected - made.calls.data());
        ASSERT_TRUE(stream->next(call));
        ASSERT_EQ(call.procedure.index(), expected.procedure);
        ASSERT_EQ(execution.stacks[call.stack.index()].front().offset,
                  static_cast<std::uint64_t>(expected.stack_offset));
        ASSERT_EQ(call.enter_ns, expected.enter_ns);
        ASSERT_EQ(call.leave_event.has_value(), expected.leave.has_value());
        const auto& parameters = made.procedures[expected.procedure];
        expect_values(parameters, Direction::Out, expected.enter, 0, call.before);
        if (!expected.leave) continue;
        ASSERT_EQ(call.error_code, std::get<0>(expected.leave->front()));
        expect_values(parameters, Direction::In, *expected.leave, 1, call.after);
    }
    EXPECT_FALSE(stream->next(call));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, ::testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace mqinspect
