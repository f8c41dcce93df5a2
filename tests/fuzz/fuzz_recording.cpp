// libFuzzer on the reader of recorded runs; see recording_subject.h.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/recording_subject.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    mqinspect::fuzz::read_recorded({data, size});
    return 0;
}
