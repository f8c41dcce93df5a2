// libFuzzer on the reader of notes in object files. What it reads must survive being joined,
// printed, and written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "thread_level/facts/join.h"
#include "thread_level/facts/print.h"
#include "thread_level/notes/notes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace tl = mqinspect::thread_level;
    const tl::Decoded decoded = tl::decode({reinterpret_cast<const char*>(data), size});
    const tl::Unit whole = tl::join(decoded.units);
    if (tl::print(whole).empty()) std::abort();
    const tl::Decoded again = tl::decode(tl::encode(whole));
    if (!again.error.empty() || again.units.size() != 1) std::abort();
    return 0;
}
