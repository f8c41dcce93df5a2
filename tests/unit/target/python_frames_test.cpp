#include "inspector/target/python_frames.h"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/python_library.h"
#include "inspector/target/stop.h"
#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Child;
using ::testing::ElementsAre;

/// "function at file:line"
using Places = std::vector<std::string>;

Places told(const std::string& line) {
    std::vector<std::string> words(1);
    for (const char letter : line) {
        if (letter == '\t') {
            words.emplace_back();
        } else {
            words.back() += letter;
        }
    }
    Places places;
    for (std::size_t i = 0; i + 2 < words.size(); i += 3)
        places.push_back(words[i] + " at " + words[i + 1] + ":" + words[i + 2]);
    return places;
}

Places read(PythonStacks& stacks, ImageStore& store, pid_t pid) {
    const auto view = ProcessView::create(pid, store);
    const auto memory = LiveMemory::open(pid);
    const auto stopped = StoppedProcesses::stop(std::array{pid});
    if (!view || !memory || !stopped.threads(0)) return {"it cannot be read"};
    const StoppedThread& thread = stopped.threads(0)->front();
    Places places;
    for (const auto& frame : stacks.read(*view, **memory, thread.registers.fs_base).frames) {
        places.push_back(frame.function + " at " + frame.location.file + ":" +
                         std::to_string(frame.location.line));
    }
    return places;
}

TEST(PythonFrames, AreThoseThatPythonItselfTells) {
    Child child(FIXTURE_PYTHON, {FIXTURE_FRAMES});
    ImageStore store{""};
    PythonStacks stacks;
    int seen = 0;
    for (std::string text = child.ready_text(); text != "end"; ++seen) {
        ASSERT_TRUE(mqinspect::testing::wait_for_state(child.pid(), 'S'));
        Places places = read(stacks, store, child.pid());
        ASSERT_GT(places.size(), 1U);
        EXPECT_EQ(places.front(), "probe at " FIXTURE_FRAMES ":15");
        places.erase(places.begin());
        ASSERT_EQ(places, told(text));
        child.send('\n');
        const std::string line = child.read_line();
        ASSERT_TRUE(line.starts_with("ready ")) << line;
        text = line.substr(6);
    }
    EXPECT_GT(seen, 120);
}

TEST(PythonFrames, OtherProgramsHaveNone) {
    Child child(FIXTURE_WAITER_O0, {"stack", "0"});
    ImageStore store{""};
    PythonStacks stacks;
    EXPECT_EQ(read(stacks, store, child.pid()), Places{});
}

model::Frame native(const char* function, const char* image) {
    return {.pc = 0, .function = function, .image = image, .location = {}};
}

PythonStack::Frame python(const char* function, bool is_entry) {
    return {.function = function, .location = {"a.py", 1}, .is_entry = is_entry};
}

std::vector<std::string> names(const std::vector<MergedFrame>& merged) {
    std::vector<std::string> names;
    for (const MergedFrame& one : merged) {
        const bool is_native = one.native != MergedFrame::kNone;
        names.push_back(one.frame.function + (is_native ? std::to_string(one.native) : ""));
    }
    return names;
}

TEST(PythonFrames, StandForTheInterpretersOwn) {
    const char* const eval = "_PyEval_EvalFrameDefault";
    const std::vector<model::Frame> stack = {native("MPI_Recv", "libmpi.so"),
                                             native("wrapper", "MPI.so"),
                                             native("vectorcall", "python3.11"),
                                             native(eval, "python3.11"),
                                             native("sort", "python3.11"),
                                             native("callback", "other.so"),
                                             native(eval, "python3.11"),
                                             native("Py_RunMain", "python3.11"),
                                             native("__libc_start_main", "libc.so.6")};
    const PythonStack frames{
        {python("f", false), python("key", true), python("g", false), python("<module>", true)},
        "python3.11"};
    EXPECT_THAT(names(merge_python(stack, frames)),
                ElementsAre("MPI_Recv0", "wrapper1", "f", "key", "callback5", "g", "<module>"));

    // Nothing is lost where the machine code's stack is cut.
    EXPECT_THAT(names(merge_python({stack.begin(), stack.begin() + 3}, frames)),
                ElementsAre("MPI_Recv0", "wrapper1", "f", "key", "g", "<module>"));
    EXPECT_EQ(merge_python(stack, {}).size(), stack.size());
}

TEST(PythonFrames, ProgramsThatEmbedPythonKeepTheirOwn) {
    const std::vector<model::Frame> stack = {native("MPI_Recv", "libmpi.so"),
                                             native("_PyEval_EvalFrameDefault", "libpython.so"),
                                             native("run_script", "app"),
                                             native("main", "app"),
                                             native("__libc_start_main", "libc.so.6")};
    EXPECT_THAT(names(merge_python(stack, {{python("<module>", true)}, "libpython.so"})),
                ElementsAre("MPI_Recv0", "<module>", "run_script2", "main3", "__libc_start_main4"));
}

TEST(PythonLibrary, IsWhatComesWithPython) {
    EXPECT_TRUE(is_python_library("/usr/lib/python3.11/ctypes/__init__.py"));
    EXPECT_TRUE(is_python_library("/usr/lib/python3/dist-packages/mpi4py/run.py"));
    EXPECT_TRUE(is_python_library("<frozen importlib._bootstrap>"));
    EXPECT_FALSE(is_python_library("/home/me/venv/lib/python3.11/site-packages/app/solver.py"));
    EXPECT_FALSE(is_python_library("/home/me/solver.py"));
    EXPECT_FALSE(is_python_library("<stdin>"));
}

}  // namespace
}  // namespace mqinspect::target
