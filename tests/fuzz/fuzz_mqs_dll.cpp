// libFuzzer's entry; scripts/fuzz runs it. MQI_WALKER names the walker.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/walkers.h"

namespace {

std::string walker;

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    const char* wanted = std::getenv("MQI_WALKER");
    walker = wanted == nullptr ? "everything" : wanted;
    const auto names = mqinspect::test::walker_names();
    if (std::ranges::find(names, walker) == names.end()) {
        std::fputs("MQI_WALKER is not one of:", stderr);
        for (const std::string& name : names)
            std::fprintf(stderr, " %s", name.c_str());
        std::fputs("\n", stderr);
        std::exit(2);
    }
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!mqinspect::test::survive_damage(walker, data, size)) std::abort();
    return 0;
}
