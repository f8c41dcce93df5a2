#include "tracer/stack/python.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include <climits>

#include "include/cpython_frames.h"

#include "tracer/log/memory.h"
#include "tracer/stack/guarded.h"
#include "tracer/stack/images.h"
#include "tracer/stack/stacks.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

bool python_runs = false;

namespace {

/// What a thread executes is its own to read.
struct OwnMemory {
    // NOLINTNEXTLINE(readability-convert-member-functions-to-static): as cpython::Reader wants it
    bool read(std::uint64_t address, void* out, std::size_t bytes) const {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the interpreter's structures
        std::memcpy(out, reinterpret_cast<const void*>(address), bytes);
        return true;
    }
};

using Reader = cpython::Reader<OwnMemory>;
using Runs = cpython::Runs<OwnMemory>;

/// A function that has been defined. Its code object may be freed, and another take its place.
struct Function {
    Function* next = nullptr;
    std::uint64_t hash = 0;  ///< of its name and file
    std::uint64_t image = 0;
};

constexpr std::size_t kBuckets = 1024;
constexpr std::size_t kMostNameBytes = 512;

const cpython::Layout* layout = nullptr;
void* (*thread_state)() = nullptr;
std::uint64_t evaluation = 0;  ///< the C function that executes frames
std::uint64_t code_type = 0;

SpinLock lock;
Arena arena;
Function* functions[kBuckets];

std::uint64_t address_of(const char* symbol) {
    return reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, symbol));
}

std::uint64_t innermost(const Reader& reader) {
    void* const thread = thread_state();
    return thread == nullptr ? 0 : reader.innermost(reinterpret_cast<std::uint64_t>(thread));
}

std::uint64_t image_of(DefinitionsFile& definitions,
                       const Reader& reader,
                       const cpython::Frame& frame) {
    char file[PATH_MAX];
    char name[kMostNameBytes];
    const std::string_view path{file, reader.file_of(frame, file, sizeof file)};
    std::string_view function{name, reader.name_of(frame, name, sizeof name)};
    if (function.empty()) function = "?";
    const std::uint64_t hash = hash_text(hash_text(kBuckets, path), function);
    const Locked locked(lock);
    Function*& bucket = functions[hash % kBuckets];
    for (const Function* known = bucket; known != nullptr; known = known->next)
        if (known->hash == hash) return known->image;
    auto* made = arena.make<Function>();
    if (made == nullptr) return 0;
    *made = {bucket, hash, define_script(definitions, path, function)};
    bucket = made;
    return made->image;
}

Runs frames_of_thread(const Reader& reader) {
    constexpr int most = 1 << 20;
    return {reader, innermost(reader), most};
}

/// Of all frames of the thread the functions are functions.
bool is_understood(const Reader& reader) {
    Guarded guarded;
    if (!MQT_GUARDED(guarded)) return false;
    bool all = true;
    for (Runs frames = frames_of_thread(reader); frames.any();) {
        frames.take([&](const cpython::Frame& frame) {
            all = all && reader.type_of(frame.code) == code_type;
        });
    }
    return all;
}

}  // namespace

void look_for_python() {
    python_runs = false;
    const std::uint64_t version = address_of("Py_Version");
    const std::uint64_t state = address_of("PyGILState_GetThisThreadState");
    evaluation = address_of("_PyEval_EvalFrameDefault");
    code_type = address_of("PyCode_Type");
    if (version == 0 || state == 0 || evaluation == 0 || code_type == 0) return;
    unsigned long release = 0;
    OwnMemory{}.read(version, &release, sizeof release);
    layout = cpython::layout_of(release);
    if (layout == nullptr) return;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a function
    thread_state = reinterpret_cast<void* (*)()>(state);
    const OwnMemory memory;
    python_runs = is_understood(Reader(memory, *layout));
}

std::uint64_t python_place() {
    const OwnMemory memory;
    const Reader reader(memory, *layout);
    std::uint64_t hash = 0;
    std::size_t depth = 0;
    cpython::Frame frame;
    for (std::uint64_t next = innermost(reader); next != 0 && depth < kMostFrames; ++depth) {
        if (!reader.frame(next, frame)) break;
        hash = mix(hash ^ frame.code, frame.instruction | 1U) + 1;
        next = frame.previous;
    }
    return hash;
}

std::size_t with_python_frames(DefinitionsFile& definitions,
                               const std::uint64_t* addresses,
                               std::size_t count,
                               std::uint64_t* out,
                               std::size_t most) {
    const OwnMemory memory;
    const Reader reader(memory, *layout);
    std::size_t used = 0;
    const auto put = [&](std::uint64_t address) {
        if (used < most) out[used++] = address;
    };
    const auto put_frame = [&](const cpython::Frame& frame) {
        if (used == most) return;
        const std::uint64_t image = image_of(definitions, reader, frame);
        if (image != 0)
            put(script_address(image, static_cast<std::uint64_t>(reader.line_of(frame))));
    };
    Runs frames = frames_of_thread(reader);
    if (!frames.any()) {
        std::copy(addresses, addresses + std::min(count, most), out);
        return std::min(count, most);
    }
    const std::uint64_t interpreter = code_address(definitions, evaluation).image;
    for (std::size_t i = 0; i < count; ++i) {
        if (code_address(definitions, addresses[i]).image != interpreter) {
            put(addresses[i]);
        } else if (begin_of_function(addresses[i]) == evaluation) {
            frames.take(put_frame);
        }
    }
    while (frames.any())
        frames.take(put_frame);
    return used;
}

}  // namespace mqinspect::tracer
