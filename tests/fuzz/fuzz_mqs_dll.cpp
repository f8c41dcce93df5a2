// libFuzzer's entry. Run: bin/fuzz_mqs_dll tests/fuzz/corpus/mqs_dll
#include <cstdlib>

#include "tests/fuzz/damaged_mpich.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!mqinspect::test::survive_damage(data, size)) std::abort();
    return 0;
}
