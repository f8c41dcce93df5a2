#include "tests/unit/thread_level_link/noted_objects.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"

#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level::link {

void NotedObjects::write(std::string_view name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
}

void NotedObjects::run(const std::vector<std::string>& words) const {
    testing::Command command;
    command.arguments = {"env", "-C", folder_.path().string()};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    const testing::Completed done = run_to_end(command, std::chrono::seconds(60));
    ASSERT_TRUE(done.status.has_value());
    ASSERT_EQ(0, done.status->code) << done.errors;
}

void NotedObjects::compile(const std::string& name,
                           const std::string& code,
                           const Unit* unit,
                           const std::vector<std::string>& options) const {
    const std::string source = name.substr(0, name.rfind('.')) + ".c";
    std::string text = code + "\n";
    if (unit != nullptr) {
        text += "__asm__(\".pushsection " + std::string(kNoteSection) + ",\\\"\\\",@progbits\\n";
        for (const char byte : encode(*unit))
            text += ".byte " + std::to_string(static_cast<unsigned char>(byte)) + "\\n";
        text += ".popsection\");\n";
    }
    write(source, text);
    std::vector<std::string> words = {MQI_C_COMPILER, "-w", "-c", source, "-o", name};
    words.insert(words.end(), options.begin(), options.end());
    run(words);
}

Unit hybrid_unit() {
    UnitBuilder builder("solver.c");
    builder.function("main").place = builder.place(2, 5);
    const StepId init = builder.step(StepKind::Mpi, 0, "MPI_Init_thread");
    builder.current().steps[init].mpi.level = UnitBuilder::constant(1);
    builder.current().steps[init].mpi.tests_provided = true;
    builder.current().steps[init].place = builder.place(3, 2);
    const RegionId parallel = builder.region(RegionKind::Parallel, 0, 4);
    const RegionId single = builder.region(RegionKind::Single, parallel, 5);
    builder.current().regions[single].barrier_at_end = true;
    builder.enter(parallel);
    builder.enter(single);
    const StepId bcast = builder.step(StepKind::Mpi, single, "MPI_Bcast");
    builder.current().steps[bcast].mpi.communicator = builder.predefined("MPI_COMM_WORLD");
    builder.current().steps[bcast].place = builder.place(6, 2);
    builder.leave(single);
    builder.leave(parallel);
    builder.exit();
    return builder.unit;
}

}  // namespace mqinspect::thread_level::link
