// What processes number each for themselves has one number in the run.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/record_writer.h"
#include "tests/support/recorded_folder.h"

#include "trace_io/recording.h"

namespace mqinspect {
namespace {

using model::DefinitionKind;
using model::Direction;
using model::kNullHandle;
using model::ParameterKind;
using model::ProcessId;
using testing::all_calls;
using ::testing::ElementsAre;
using testing::Fields;
using ::testing::IsEmpty;
using testing::Numbers;
using testing::RecordedFolder;
using testing::RecordWriter;

struct CommunicatorFields {
    std::int64_t id = 1;
    std::int64_t parent = 0;
    const char* constructor = "MPI_Comm_split";
    std::int64_t ordinal = 0;
    std::int64_t tag = 0;
    Numbers members{};  ///< first, last, step, in turn
    Numbers remote_members{};
    Numbers foreign{};
    const char* topology = "";
    Numbers sources{};
    Numbers destinations{};
};

void define(RecordWriter& writer, const CommunicatorFields& fields) {
    const auto triplets = [](Fields& to, const Numbers& numbers) {
        to.length(numbers.size() / 3);
        for (const std::int64_t number : numbers)
            to.number(number);
    };
    Fields to;
    to.number(fields.id).number(fields.parent).text(fields.constructor);
    to.number(fields.ordinal).number(fields.tag).number(0);
    triplets(to, fields.members);
    triplets(to, fields.remote_members);
    to.numbers(fields.foreign).text(fields.topology);
    to.numbers(fields.sources).numbers(fields.destinations);
    writer.define(DefinitionKind::Communicator, to);
}

/// A job whose ranks each make one call, so that their numbers can be seen.
class Numbering : public ::testing::Test {
protected:
    RecordWriter& rank(std::int64_t rank,
                       std::int64_t size,
                       std::uint64_t world = 1,
                       std::uint64_t start_ns = 0) {
        writers_.push_back(std::make_unique<RecordWriter>(
            "h." + std::to_string(world) + "." + std::to_string(rank),
            start_ns == 0 ? 5000 + world : start_ns));
        writers_.back()->define_usual(rank, size, world);
        return *writers_.back();
    }
    void use(RecordWriter& writer, ParameterKind kind, std::int64_t value) {
        const auto procedure = writer.define_procedure("MPI_Use", {{"thing", kind}});
        writer.enter(0, procedure, 1, 100, {value});
        writer.leave(0, 110, {0});
    }
    void open() {
        for (const auto& writer : writers_)
            writer->save(folder_.path());
        auto opened = trace_io::open_recording(folder_.path().string());
        ASSERT_TRUE(opened) << opened.error().message;
        recording_ = std::move(*opened);
        EXPECT_THAT(execution().problems, IsEmpty());
    }
    const model::Recording* recording() const { return recording_.get(); }
    const model::Execution& execution() const { return recording_->execution(); }
    std::int64_t used_by(int process) const {
        return all_calls(*recording_, process).at(0).before.at(0);
    }

private:
    RecordedFolder folder_;
    std::vector<std::unique_ptr<RecordWriter>> writers_;
    std::unique_ptr<model::Recording> recording_;
};

TEST_F(Numbering, TellsTheHalvesOfASplitApart) {
    for (int r = 0; r < 4; ++r) {
        RecordWriter& writer = rank(r, 4);
        const std::int64_t first = r % 2;
        define(writer, {.id = 1, .members = {first, first + 2, 2}});
        use(writer, ParameterKind::Communicator, 1);
    }

    open();

    EXPECT_EQ(execution().communicators.size(), 3U);
    EXPECT_EQ(used_by(0), used_by(2));
    EXPECT_EQ(used_by(1), used_by(3));
    EXPECT_NE(used_by(0), used_by(1));
    const auto& odd = execution().communicators[static_cast<std::size_t>(used_by(1))];
    EXPECT_THAT(odd.members, ElementsAre(ProcessId(1), ProcessId(3)));
    EXPECT_EQ(odd.parent, model::CommunicatorId(0));
    EXPECT_EQ(odd.constructor, "MPI_Comm_split");
    EXPECT_EQ(execution().communicators[0].name, "MPI_COMM_WORLD");
}

TEST_F(Numbering, TellsDuplicatesApartByTheirOrdinal) {
    for (int r = 0; r < 2; ++r) {
        RecordWriter& writer = rank(r, 2);
        // One rank frees the first before it makes the second, and reuses nothing.
        define(writer, {.id = 1, .constructor = "MPI_Comm_dup", .members = {0, 1, 1}});
        define(writer,
               {.id = 2, .constructor = "MPI_Comm_dup", .ordinal = 1, .members = {0, 1, 1}});
        use(writer, ParameterKind::Communicator, 1 + r);
    }

    open();

    EXPECT_EQ(used_by(0), 1);
    EXPECT_EQ(used_by(1), 2);
}

TEST_F(Numbering, JoinsTheSidesOfAnIntercommunicator) {
    for (int r = 0; r < 4; ++r) {
        RecordWriter& writer = rank(r, 4);
        const std::int64_t mine = r < 2 ? 0 : 2;
        define(writer, {.id = 1, .members = {mine, mine + 1, 1}});
        define(writer,
               {.id = 2,
                .parent = 1,
                .constructor = "MPI_Intercomm_create",
                .ordinal = r < 2 ? 0 : 5,
                .tag = 99,
                .members = {mine, mine + 1, 1},
                .remote_members = {2 - mine, 3 - mine, 1}});
        use(writer, ParameterKind::Communicator, 2);
    }

    open();

    EXPECT_EQ(used_by(0), used_by(3));
    const auto& inter = execution().communicators[static_cast<std::size_t>(used_by(0))];
    EXPECT_TRUE(inter.inter);
    EXPECT_THAT(inter.members, ElementsAre(ProcessId(0), ProcessId(1)));
    EXPECT_THAT(inter.remote_members, ElementsAre(ProcessId(2), ProcessId(3)));
}

TEST_F(Numbering, JoinsTheSidesOfAConnectionWithinAWorld) {
    for (int r = 0; r < 2; ++r) {
        RecordWriter& writer = rank(r, 2);
        define(writer, {.id = 1, .members = {r, r, 1}});
        define(writer,
               {.id = 2,
                .parent = 1,
                .constructor = r == 0 ? "MPI_Comm_accept" : "MPI_Comm_connect",
                .members = {r, r, 1},
                .remote_members = {1 - r, 1 - r, 1}});
        use(writer, ParameterKind::Communicator, 2);
    }

    open();

    EXPECT_EQ(used_by(0), used_by(1));
}

TEST_F(Numbering, JoinsWorldsThatSpawnHasConnected) {
    RecordWriter& parent = rank(0, 1, 1);
    define(parent,
           {.id = 1,
            .parent = kNullHandle,
            .constructor = "MPI_Comm_spawn",
            .members = {0, 0, 1},
            .remote_members = {-1, -2, -1},
            .foreign = {2, 0, 2, 1}});
    use(parent, ParameterKind::Communicator, 1);
    for (int r = 0; r < 2; ++r) {
        RecordWriter& child = rank(r, 2, 2);
        define(child,
               {.id = 1,
                .parent = kNullHandle,
                .constructor = "MPI_Comm_get_parent",
                .members = {0, 1, 1},
                .remote_members = {-1, -1, 1},
                .foreign = {1, 0}});
        use(child, ParameterKind::Communicator, 1);
    }

    open();

    ASSERT_EQ(execution().processes.size(), 3U);
    EXPECT_EQ(execution().processes[2].world, 1);
    EXPECT_EQ(execution().processes[2].rank, model::WorldRank(1));
    EXPECT_EQ(used_by(0), used_by(1));
    EXPECT_EQ(used_by(1), used_by(2));
    const auto& inter = execution().communicators[static_cast<std::size_t>(used_by(0))];
    EXPECT_THAT(inter.members, ElementsAre(ProcessId(0)));
    EXPECT_THAT(inter.remote_members, ElementsAre(ProcessId(1), ProcessId(2)));
    // Each world has a MPI_COMM_WORLD of its own.
    EXPECT_EQ(execution().communicators.size(), 3U);
}

void define_job(RecordWriter& writer) {
    writer.define(DefinitionKind::Job, Fields().number(77));
}

/// Intercommunicator `id` of a spawn by one process, between two times.
void define_spawn(RecordWriter& writer, std::int64_t id, std::int64_t begin, std::int64_t end) {
    define(writer,
           {.id = id,
            .constructor = "MPI_Comm_spawn",
            .ordinal = id,
            .members = {0, 0, 1},
            .remote_members = {-1, -1, 1},
            .foreign = {0, 0}});
    writer.define(DefinitionKind::Spawn, Fields().number(id).number(begin).number(end));
}

void define_parent(RecordWriter& writer) {
    define_job(writer);
    define(writer,
           {.id = 1,
            .parent = kNullHandle,
            .constructor = "MPI_Comm_get_parent",
            .members = {0, 0, 1},
            .remote_members = {-1, -1, 1},
            .foreign = {0, 0}});
}

TEST_F(Numbering, TellsTheWorldsOfTwoSpawnsApartByTheirTimes) {
    RecordWriter& parent = rank(0, 1, 1, 1000);
    define_job(parent);
    define_spawn(parent, 1, 2000, 3000);
    define_spawn(parent, 2, 4000, 5000);
    define(parent,
           {.id = 3,
            .parent = 2,
            .constructor = "MPI_Intercomm_merge",
            .members = {0, -1, -1},
            .foreign = {0, 0}});
    use(parent, ParameterKind::Communicator, 2);
    for (const std::uint64_t world : {2U, 3U}) {
        RecordWriter& child = rank(0, 1, world, world == 2 ? 2500 : 4500);
        define_parent(child);
        use(child, ParameterKind::Communicator, 1);
    }

    open();

    ASSERT_EQ(execution().processes.size(), 3U);
    EXPECT_NE(used_by(0), used_by(1));
    EXPECT_EQ(used_by(0), used_by(2));
    const auto& inter = execution().communicators[static_cast<std::size_t>(used_by(0))];
    EXPECT_THAT(inter.remote_members, ElementsAre(ProcessId(2)));
    EXPECT_TRUE(std::ranges::any_of(execution().communicators, [](const auto& communicator) {
        return communicator.members == std::vector{ProcessId(0), ProcessId(2)};
    })) << "the merged one";
}

TEST_F(Numbering, SpawnsAtTheSameTimeRemainUnknown) {
    RecordWriter& parent = rank(0, 1, 1, 1000);
    define_job(parent);
    define_spawn(parent, 1, 2000, 6000);
    define_spawn(parent, 2, 2000, 6000);
    use(parent, ParameterKind::Communicator, 2);
    for (const std::uint64_t world : {2U, 3U}) {
        RecordWriter& child = rank(0, 1, world, 2000 + world);
        define_parent(child);
        use(child, ParameterKind::Communicator, 1);
    }

    open();

    ASSERT_EQ(execution().processes.size(), 3U);
    EXPECT_NE(used_by(0), used_by(1));
    EXPECT_NE(used_by(0), used_by(2));
}

TEST_F(Numbering, KeepsTheNeighboursOfEachRankOfATopology) {
    for (int r = 0; r < 2; ++r) {
        RecordWriter& writer = rank(r, 2);
        define(writer,
               {.id = 1,
                .constructor = "MPI_Cart_create",
                .members = {0, 1, 1},
                .topology = "cartesian",
                .sources = {1 - r},
                .destinations = {1 - r, -1}});
        use(writer, ParameterKind::Communicator, 1);
    }

    open();

    const auto& cart = execution().communicators[1];
    EXPECT_EQ(cart.topology, "cartesian");
    EXPECT_THAT(cart.sources, ElementsAre(ElementsAre(1), ElementsAre(0)));
    EXPECT_THAT(cart.destinations, ElementsAre(ElementsAre(1, -1), ElementsAre(0, -1)));
}

TEST_F(Numbering, NamesAndFreesCommunicators) {
    for (int r = 0; r < 2; ++r) {
        RecordWriter& writer = rank(r, 2);
        define(writer, {.id = 1, .members = {0, 1, 1}});
        const auto kind = static_cast<std::int64_t>(DefinitionKind::Communicator);
        writer.define(DefinitionKind::Name, Fields().number(kind).number(1).text("ring"));
        if (r == 1) writer.define(DefinitionKind::Freed, Fields().number(kind).number(1));
    }

    open();

    EXPECT_EQ(execution().communicators[1].name, "ring");
    EXPECT_THAT(execution().communicators[1].freed_by, ElementsAre(ProcessId(1)));
}

TEST_F(Numbering, MakesDatatypesOfOneStructureOne) {
    const auto vector_type = [](std::int64_t id, std::int64_t type, std::int64_t stride) {
        return Fields()
            .number(id)
            .text("")
            .text("MPI_COMBINER_VECTOR")
            .numbers({2, 1, stride})
            .length(0)
            .numbers({type})
            .number(8)
            .number(0)
            .number(4 + 4 * stride)
            .number(0)
            .number(4 + 4 * stride);
    };
    RecordWriter& first = rank(0, 2);
    first.define(DefinitionKind::Datatype, vector_type(1, 0, 3));
    use(first, ParameterKind::Datatype, 1);
    RecordWriter& second = rank(1, 2);
    second.define(DefinitionKind::Datatype, vector_type(1, 0, 5));
    second.define(DefinitionKind::Datatype, vector_type(2, 0, 3));
    use(second, ParameterKind::Datatype, 2);

    open();

    EXPECT_EQ(execution().datatypes.size(), 3U);
    EXPECT_EQ(used_by(0), 1);
    EXPECT_EQ(used_by(1), 1);
    EXPECT_THAT(execution().datatypes[1].types, ElementsAre(model::DatatypeId(0)));
    EXPECT_EQ(execution().datatypes[1].extent, 16);
}

TEST_F(Numbering, KeepsADatatypeWithAPartThatIsNotKnown) {
    RecordWriter& writer = rank(0, 1);
    writer.define(DefinitionKind::Datatype,
                  Fields()
                      .number(1)
                      .text("")
                      .text("MPI_COMBINER_RESIZED")
                      .length(0)
                      .numbers({0, 16})
                      .numbers({-2})
                      .number(8)
                      .number(0)
                      .number(16)
                      .number(0)
                      .number(8));
    use(writer, ParameterKind::Datatype, 1);

    open();

    EXPECT_EQ(used_by(0), 1);
    EXPECT_THAT(execution().problems, IsEmpty());
    EXPECT_THAT(execution().datatypes[1].types, IsEmpty());
    EXPECT_EQ(execution().datatypes[1].combiner, "");
    EXPECT_EQ(execution().datatypes[1].size, 8);
}

TEST_F(Numbering, MakesWindowsAndFilesOfOneCommunicatorOneByTheirOrder) {
    for (int r = 0; r < 2; ++r) {
        RecordWriter& writer = rank(r, 2);
        for (std::int64_t id = 0; id < 2; ++id) {
            writer.define(DefinitionKind::Window,
                          Fields()
                              .number(id)
                              .number(0)
                              .text("MPI_Win_create")
                              .number(0x1000 * (r + 1))
                              .number(64 * (id + 1))
                              .number(8));
        }
        writer.define(DefinitionKind::File, Fields().number(0).number(0).text("out.dat").number(1));
        use(writer, ParameterKind::Window, 1);
    }

    open();

    ASSERT_EQ(execution().windows.size(), 2U);
    EXPECT_EQ(used_by(0), used_by(1));
    ASSERT_EQ(execution().windows[1].parts.size(), 2U);
    EXPECT_EQ(execution().windows[1].parts[1].process, ProcessId(1));
    EXPECT_EQ(execution().windows[1].parts[1].base, 0x2000U);
    EXPECT_EQ(execution().windows[1].parts[1].bytes, 128);
    ASSERT_EQ(execution().files.size(), 1U);
    EXPECT_EQ(execution().files[0].name, "out.dat");
}

TEST_F(Numbering, MakesOperatorsOneByNameOrFunction) {
    for (int r = 0; r < 2; ++r) {
        RecordWriter& writer = rank(r, 2);
        const auto op = [](std::int64_t id, const char* name, std::int64_t offset) {
            return Fields()
                .number(id)
                .text(name)
                .number(1)
                .number(offset == 0 ? 0 : 1)
                .number(offset);
        };
        // The ranks learn of them in different orders.
        writer.define(DefinitionKind::Operator, op(r, "MPI_SUM", 0));
        writer.define(DefinitionKind::Operator, op(1 - r, "", 0x1234));
        use(writer, ParameterKind::Operator, r);
    }

    open();

    ASSERT_EQ(execution().operators.size(), 2U);
    EXPECT_EQ(used_by(0), used_by(1));
    EXPECT_EQ(execution().operators[1].function, "app+0x1234");
}

TEST_F(Numbering, TakesTheConstantsOfTheMpiLibrary) {
    RecordWriter& writer = rank(0, 1);
    const auto constant = [&](const char* name, std::int64_t value) {
        writer.define(DefinitionKind::Constant, Fields().text(name).number(value));
    };
    // Those of Open MPI.
    constant("MPI_ANY_SOURCE", -1);
    constant("MPI_PROC_NULL", -2);
    constant("MPI_ROOT", -4);
    constant("MPI_IN_PLACE", 1);
    constant("MPI_UNDEFINED", -32766);
    constant("MPI_LOCK_SHARED", 2);
    const auto procedure = writer.define_procedure("MPI_Odd",
                                                   {{"source", ParameterKind::Rank},
                                                    {"dest", ParameterKind::Rank},
                                                    {"root", ParameterKind::Rank},
                                                    {"wrong", ParameterKind::Rank},
                                                    {"buf", ParameterKind::Buffer},
                                                    {"color", ParameterKind::Integer},
                                                    {"comm", ParameterKind::Communicator},
                                                    {"group", ParameterKind::Group}});
    writer.enter(0, procedure, 1, 100, {-1, -2, -4, -3, 1, -32766, kNullHandle, Numbers{0, -1}});

    open();
    const auto calls = all_calls(*recording(), 0);

    const auto& values = calls.at(0).before;
    EXPECT_EQ(values[0], model::kAnySource);
    EXPECT_EQ(values[1], model::kProcNull);
    EXPECT_EQ(values[2], model::kRoot);
    // No rank of Open MPI, and not the root that it would be in MPICH.
    EXPECT_LT(values[3], model::kRoot);
    EXPECT_EQ(values[4], model::kInPlace);
    EXPECT_EQ(values[5], model::kUndefined);
    EXPECT_EQ(values[6], kNullHandle);
    EXPECT_EQ(values[7], 0);
    EXPECT_EQ(execution().constants.at("MPI_LOCK_SHARED"), 2);
    EXPECT_EQ(execution().processes[0].thread_provided, "MPI_THREAD_SINGLE");
}

}  // namespace
}  // namespace mqinspect
