// Notes on their way through assembler, archiver, linker and strip.
#include "thread_level/link/note_files.h"

#include <gmock/gmock.h>

#include "tests/unit/thread_level_facts/unit_builder.h"
#include "tests/unit/thread_level_link/noted_objects.h"

#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level::link {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Unit unit_of(std::string_view source, std::string_view function) {
    UnitBuilder builder(source);
    builder.function(function);
    builder.step(StepKind::Mpi, 0, "MPI_Send");
    builder.exit();
    return builder.unit;
}

class NoteFilesTest : public ::testing::Test {
protected:
    NoteFilesTest() {
        const Unit a = unit_of("a.c", "a");
        const Unit b = unit_of("b.c", "b");
        objects_.compile("a.o", "void a(void) {}", &a);
        objects_.compile("b.o", "void b(void) {}", &b);
        objects_.compile(
            "main.o", "void a(void); void b(void); int main(void) { a(); b(); }", nullptr);
    }

    void read(const std::string& name) { files_.read(objects_.path(name).string()); }
    std::vector<std::string> sources() const {
        std::vector<std::string> names;
        for (const Unit& unit : files_.units())
            names.push_back(unit.strings[unit.source]);
        return names;
    }

    NotedObjects objects_;
    NoteFiles files_;
};

TEST_F(NoteFilesTest, ReadsObjects) {
    read("a.o");
    read("b.o");

    EXPECT_THAT(sources(), ElementsAre("a.c", "b.c"));
    EXPECT_THAT(files_.problems(), IsEmpty());
    EXPECT_FALSE(files_.has_trouble());
}

TEST_F(NoteFilesTest, ReadsWhatTheLinkerHasPutTogetherAndStripHasLeft) {
    objects_.run({MQI_C_COMPILER, "main.o", "a.o", "b.o", "-o", "program"});
    objects_.run({"strip", "program"});

    read("program");

    EXPECT_THAT(sources(), ElementsAre("a.c", "b.c"));
    EXPECT_FALSE(files_.has_trouble());
}

TEST_F(NoteFilesTest, NamesSourcesOfAnExecutableThatHaveNoNotes) {
    objects_.run({MQI_C_COMPILER, "main.o", "a.o", "b.o", "-o", "program"});

    read("program");

    EXPECT_THAT(files_.without_notes(),
                ElementsAre("main.c in " + objects_.path("program").string()));
}

TEST_F(NoteFilesTest, ReadsSharedLibraries) {
    objects_.run({MQI_C_COMPILER, "-shared", "a.o", "-o", "liba.so"});

    read("liba.so");

    EXPECT_THAT(sources(), ElementsAre("a.c"));
}

TEST_F(NoteFilesTest, ReadsArchivesAndNamesMembersWithoutNotes) {
    objects_.run({"ar", "rc", "libab.a", "a.o", "main.o", "b.o"});

    read("libab.a");

    EXPECT_THAT(sources(), ElementsAre("a.c", "b.c"));
    EXPECT_THAT(files_.without_notes(), ElementsAre(EndsWith("libab.a(main.o)")));
    EXPECT_FALSE(files_.has_trouble());
}

TEST_F(NoteFilesTest, OneUnitInSeveralFilesCountsOnce) {
    objects_.run({"ar", "rc", "liba.a", "a.o"});

    read("a.o");
    read("liba.a");

    EXPECT_THAT(sources(), ElementsAre("a.c"));
}

TEST_F(NoteFilesTest, SlimObjectsOfLtoHaveTheirNotesInTheExecutable) {
    const Unit unit = unit_of("slim.c", "main");
    objects_.compile("slim.o", "int main(void) {}", &unit, {"-flto", "-fno-fat-lto-objects"});
    objects_.run({MQI_C_COMPILER, "-flto", "slim.o", "-o", "program"});

    read("slim.o");
    EXPECT_THAT(files_.problems(), ElementsAre(HasSubstr("link-time optimization")));
    read("program");

    EXPECT_THAT(sources(), ElementsAre("slim.c"));
}

TEST_F(NoteFilesTest, OtherCompilersAreNamed) {
    objects_.compile("clang.o",
                     "void f(void) {} __asm__(\".pushsection .comment; .asciz \\\"Debian clang "
                     "version 14.0.6\\\"; .popsection\");",
                     nullptr);

    read("clang.o");

    EXPECT_THAT(files_.problems(),
                ElementsAre(HasSubstr("compiled by Debian clang version 14.0.6: no notes")));
    EXPECT_FALSE(files_.has_trouble());
}

TEST_F(NoteFilesTest, ADamagedNoteCostsOnlyItself) {
    objects_.compile("bad.o",
                     "void f(void) {} __asm__(\".pushsection .mpi_thread_level,\\\"\\\",@progbits; "
                     ".ascii \\\"MTLx\\\"; .popsection\");",
                     nullptr);

    read("bad.o");
    read("a.o");

    EXPECT_THAT(files_.problems(), ElementsAre(HasSubstr("a damaged note: offset ")));
    EXPECT_THAT(sources(), ElementsAre("a.c"));
    EXPECT_TRUE(files_.has_trouble());
}

TEST_F(NoteFilesTest, WhatIsNoObjectIsNamedInOneLineEach) {
    objects_.write("text", "INPUT(libfoo.so)\n");
    objects_.write("empty", "");
    objects_.write("bitcode", "BC\xc0\xde and more");
    objects_.write("thin.a", "!<thin>\n");
    objects_.write("damaged.a", "!<arch>\nnonsense");
    const std::string object = testing::read_text(objects_.path("a.o"));
    objects_.write("cut.o", object.substr(0, 40));

    for (const char* name :
         {"text", "empty", "bitcode", "thin.a", "damaged.a", "cut.o", "nowhere", "."})
        read(name);
    read("b.o");

    EXPECT_EQ(8U, files_.problems().size());
    for (const std::string& problem : files_.problems())
        EXPECT_EQ(std::string::npos, problem.find('\n'));
    EXPECT_THAT(files_.problems()[6], EndsWith("nowhere: No such file or directory"));
    EXPECT_THAT(sources(), ElementsAre("b.c"));
}

TEST_F(NoteFilesTest, CutOffFilesAreReadWithoutHarm) {
    objects_.run({"ar", "rc", "libab.a", "a.o", "b.o"});
    for (const char* name : {"a.o", "libab.a"}) {
        const std::string whole = testing::read_text(objects_.path(name));
        for (std::size_t length = 0; length < whole.size(); length += 7) {
            objects_.write("cut", whole.substr(0, length));
            read("cut");
        }
    }
    EXPECT_TRUE(files_.has_trouble());
}

}  // namespace
}  // namespace mqinspect::thread_level::link
