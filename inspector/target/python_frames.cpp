#include "inspector/target/python_frames.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

#include "include/cpython_frames.h"

namespace mqinspect::target {

namespace {

constexpr int kMostFrames = 256;
constexpr std::size_t kMostTextBytes = 4096;

/// Pages that were read once: frames and line tables are read in small pieces.
class PagedMemory {
public:
    explicit PagedMemory(const Memory& memory) : memory_(memory) {}

    bool read(std::uint64_t address, void* out, std::size_t bytes) const {
        auto* next = static_cast<std::byte*>(out);
        while (bytes != 0) {
            const std::uint64_t at = address % kPageBytes;
            const std::size_t part = std::min<std::size_t>(bytes, kPageBytes - at);
            const Page* const page = find(address - at);
            if (page == nullptr) return false;
            std::memcpy(next, page->data() + at, part);
            next += part;
            address += part;
            bytes -= part;
        }
        return true;
    }

private:
    static constexpr std::size_t kPageBytes = 4096;
    using Page = std::array<std::byte, kPageBytes>;

    const Page* find(std::uint64_t start) const {
        const auto [entry, is_new] = pages_.try_emplace(start);
        if (is_new) {
            Page page;
            if (memory_.read(Address{start}, page)) entry->second = page;
        }
        return entry->second ? &*entry->second : nullptr;
    }

    const Memory& memory_;
    mutable std::map<std::uint64_t, std::optional<Page>> pages_;
};

using Reader = cpython::Reader<PagedMemory>;

PythonStack::Frame described(const Reader& reader, const cpython::Frame& frame) {
    std::string text(kMostTextBytes, '\0');
    PythonStack::Frame result;
    result.function.assign(text, 0, reader.name_of(frame, text.data(), text.size()));
    result.location.file.assign(text, 0, reader.file_of(frame, text.data(), text.size()));
    result.location.line = reader.line_of(frame);
    return result;
}

/// What starts every program, if Python is the program.
void drop_start(std::vector<MergedFrame>& merged) {
    const auto last = std::ranges::find_if(merged.rbegin(), merged.rend(), [](const auto& one) {
        return !one.frame.function.starts_with("__libc_start_");
    });
    if (last != merged.rend() && last->native == MergedFrame::kNone)
        merged.erase(last.base(), merged.end());
}

}  // namespace

const PythonStacks::Symbols& PythonStacks::symbols(const Image& image) {
    const auto [entry, is_new] = symbols_.try_emplace(&image);
    if (is_new) {
        const auto runtime = image.find_dynamic_symbol("_PyRuntime");
        const auto version = image.find_dynamic_symbol("Py_Version");
        if (runtime && version) entry->second = {runtime->address, version->address};
    }
    return entry->second;
}

PythonStack PythonStacks::read(const ProcessView& view,
                               const Memory& memory,
                               std::uint64_t thread_pointer) {
    PythonStack stack;
    const auto module = std::ranges::find_if(view.modules(), [&](const Module& one) {
        return !one.c_library && symbols(*one.image).runtime != 0;
    });
    if (module == view.modules().end()) return stack;
    const Symbols& known = symbols(*module->image);
    const PagedMemory paged(memory);
    std::uint64_t version = 0;
    if (!paged.read(to_integer(module->loaded(known.version)), &version, sizeof version))
        return stack;
    const cpython::Layout* const layout = cpython::layout_of(version);
    if (layout == nullptr) return stack;
    stack.interpreter = module->image->path();
    const Reader reader(paged, *layout);
    const std::uint64_t thread =
        reader.thread(to_integer(module->loaded(known.runtime)), thread_pointer);
    cpython::Runs runs(reader, thread == 0 ? 0 : reader.innermost(thread), kMostFrames);
    while (runs.any()) {
        runs.take(
            [&](const cpython::Frame& frame) { stack.frames.push_back(described(reader, frame)); });
        if (!stack.frames.empty()) stack.frames.back().is_entry = true;
    }
    return stack;
}

std::vector<MergedFrame> merge_python(std::vector<model::Frame> native, const PythonStack& python) {
    std::vector<MergedFrame> merged;
    auto next = python.frames.begin();
    const auto take_run = [&] {
        for (bool ends = false; next != python.frames.end() && !ends; ++next) {
            model::Frame frame;
            frame.function = next->function;
            frame.location = next->location;
            merged.push_back({std::move(frame), MergedFrame::kNone});
            ends = next->is_entry;
        }
    };
    for (std::size_t i = 0; i < native.size(); ++i) {
        const bool of_interpreter = !python.frames.empty() && native[i].image == python.interpreter;
        if (!of_interpreter) {
            merged.push_back({std::move(native[i]), i});
        } else if (native[i].function == "_PyEval_EvalFrameDefault") {
            take_run();
        }
    }
    while (next != python.frames.end())
        take_run();
    drop_start(merged);
    return merged;
}

}  // namespace mqinspect::target
