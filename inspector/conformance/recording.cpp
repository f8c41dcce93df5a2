#include "inspector/conformance/recording.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace mqinspect::conformance {

namespace {

constexpr std::string_view kFirstLine = "mqs-recording 1";
constexpr std::size_t kBytesOnALine = 64;
constexpr std::size_t kMaxImages = 1 << 16;

class RecordedJob final : public DebuggedJob {
public:
    explicit RecordedJob(Recording recording) : recording_(std::move(recording)) {
        for (const auto& process : recording_.processes)
            processes_.push_back({.rank = process.rank, .image = process.image});
        images_ = recording_.images.size();
    }

    Answer<std::uint64_t> find_symbol(std::size_t image, std::string_view name) const override {
        const auto& symbols = recording_.images[image].symbols;
        const auto found = symbols.find(name);
        if (found == symbols.end()) return {.value = {}, .recorded = false};
        return {.value = found->second};
    }

    Answer<const target::TypeLayout*> find_type(std::size_t image,
                                                std::string_view name) const override {
        const auto& types = recording_.images[image].types;
        const auto found = types.find(name);
        if (found == types.end()) return {.value = {}, .recorded = false};
        if (!found->second) return {};
        return {.value = &*found->second};
    }

    Answer<bool> read(std::size_t process,
                      std::uint64_t address,
                      std::span<std::byte> destination) const override {
        const auto& pages = recording_.processes[process].pages;
        while (!destination.empty()) {
            const std::uint64_t offset = address % kPageBytes;
            const auto page = pages.find(address - offset);
            if (page == pages.end()) return {.value = {}, .recorded = false};
            if (page->second.empty()) return {};
            const std::size_t count =
                std::min<std::size_t>(kPageBytes - offset, destination.size());
            std::memcpy(destination.data(), page->second.data() + offset, count);
            destination = destination.subspan(count);
            address += count;
        }
        return {.value = true};
    }

private:
    Recording recording_;
};

void write_page(std::string& text, std::uint64_t address, const Recording::Page& page) {
    if (page.empty()) {
        text += fmt::format("unreadable {:#x}\n", address);
        return;
    }
    text += fmt::format("page {:#x}\n", address);
    for (std::size_t at = 0; at < page.size(); at += kBytesOnALine) {
        const std::span line = std::span(page).subspan(at, kBytesOnALine);
        if (std::ranges::all_of(line, [](std::byte byte) { return byte == std::byte{0}; }))
            continue;
        text += fmt::format("bytes {} ", at);
        for (const std::byte byte : line)
            text += fmt::format("{:02x}", static_cast<unsigned>(byte));
        text += '\n';
    }
}

/// Takes the words of a line one after another.
class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}

    std::string_view next() {
        const auto end = std::min(rest_.find(' '), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }
    template <class T>
    T number() {
        std::string_view word = next();
        int base = 10;
        if (word.starts_with("0x")) {
            word.remove_prefix(2);
            base = 16;
        }
        T value{};
        const auto [end, error] =
            std::from_chars(word.data(), word.data() + word.size(), value, base);
        if (error != std::errc{} || end != word.data() + word.size()) ok_ = false;
        return value;
    }
    std::string_view rest() const { return rest_; }
    bool ok() const { return ok_; }

private:
    std::string_view rest_;
    bool ok_ = true;
};

class Parser {
public:
    Result<Recording> parse(const std::string& text) {
        std::string_view rest = text;
        for (int number = 1; !rest.empty(); ++number) {
            const auto end = std::min(rest.find('\n'), rest.size());
            const std::string_view line = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            const bool good = number == 1 ? line == kFirstLine : take(line);
            if (!good) {
                return Error{ErrorCode::CorruptData,
                             fmt::format("line {}: not of the format", number)};
            }
        }
        if (recording_.processes.empty()) {
            return Error{ErrorCode::CorruptData, "it holds no process"};
        }
        return std::move(recording_);
    }

private:
    bool take(std::string_view line) {
        Words words(line);
        const std::string_view kind = words.next();
        if (kind == "image") return take_image(words);
        if (kind == "symbol") return take_symbol(words);
        if (kind == "type") return take_type(words);
        if (kind == "field") return take_field(words);
        if (kind == "process") return take_process(words);
        if (kind == "page" || kind == "unreadable") return take_page(words, kind == "page");
        if (kind == "bytes") return take_bytes(words);
        return false;
    }

    bool take_image(Words& words) {
        const auto number = words.number<std::size_t>();
        type_ = nullptr;
        if (!words.ok() || number != recording_.images.size() || number >= kMaxImages) return false;
        recording_.images.emplace_back();
        return true;
    }

    bool take_symbol(Words& words) {
        if (recording_.images.empty()) return false;
        Words copy = words;
        auto& symbols = recording_.images.back().symbols;
        if (copy.next() == "absent") {
            words.next();
            symbols[std::string(words.rest())] = std::nullopt;
            return true;
        }
        const auto address = words.number<std::uint64_t>();
        symbols[std::string(words.rest())] = address;
        return words.ok();
    }

    bool take_type(Words& words) {
        if (recording_.images.empty()) return false;
        auto& types = recording_.images.back().types;
        Words copy = words;
        type_ = nullptr;
        if (copy.next() == "absent") {
            words.next();
            types[std::string(words.rest())] = std::nullopt;
            return true;
        }
        target::TypeLayout layout;
        layout.size = words.number<std::uint64_t>();
        layout.name = words.rest();
        auto& entry = types[layout.name];
        entry = std::move(layout);
        type_ = &*entry;
        return words.ok();
    }

    bool take_field(Words& words) {
        if (type_ == nullptr) return false;
        target::TypeLayout::Field field;
        field.offset = words.number<std::int64_t>();
        field.size = words.number<std::uint64_t>();
        field.name = words.rest();
        type_->fields.push_back(std::move(field));
        return words.ok();
    }

    bool take_process(Words& words) {
        Recording::Process process;
        process.rank = words.number<int>();
        process.image = words.number<std::size_t>();
        page_ = nullptr;
        if (!words.ok() || process.image >= recording_.images.size()) return false;
        recording_.processes.push_back(std::move(process));
        return true;
    }

    bool take_page(Words& words, bool readable) {
        if (recording_.processes.empty()) return false;
        const auto address = words.number<std::uint64_t>();
        if (!words.ok() || address % kPageBytes != 0) return false;
        page_ = &recording_.processes.back().pages[address];
        page_->assign(readable ? kPageBytes : 0, std::byte{0});
        return true;
    }

    bool take_bytes(Words& words) {
        if (page_ == nullptr) return false;
        auto at = words.number<std::size_t>();
        const std::string_view digits = words.rest();
        if (!words.ok() || digits.size() % 2 != 0 || at > page_->size() ||
            digits.size() / 2 > page_->size() - at) {
            return false;
        }
        for (std::size_t i = 0; i < digits.size(); i += 2) {
            unsigned value = 0;
            const char* end = digits.data() + i + 2;
            const auto parsed = std::from_chars(digits.data() + i, end, value, 16);
            if (parsed.ec != std::errc{} || parsed.ptr != end) return false;
            (*page_)[at++] = static_cast<std::byte>(value);
        }
        return true;
    }

    Recording recording_;
    target::TypeLayout* type_ = nullptr;
    Recording::Page* page_ = nullptr;
};

bool fits_a_line(const std::string& name) {
    return !name.empty() && name.find('\n') == std::string::npos;
}

}  // namespace

Recording record(const DebuggedJob& job, const Questions& questions) {
    Recording recording;
    recording.images.resize(job.images());
    for (const auto& process : job.processes())
        recording.processes.push_back({.rank = process.rank, .image = process.image, .pages = {}});
    for (const auto& [image, name] : questions.symbols) {
        if (!fits_a_line(name)) continue;
        recording.images[image].symbols[name] = job.find_symbol(image, name).value;
    }
    for (const auto& [image, name] : questions.types) {
        if (!fits_a_line(name)) continue;
        const auto found = job.find_type(image, name).value;
        recording.images[image].types[name] =
            found ? std::optional<target::TypeLayout>(**found) : std::nullopt;
    }
    for (const auto& [process, address] : questions.pages) {
        Recording::Page page(kPageBytes);
        if (!job.read(process, address, page).value) page.clear();
        recording.processes[process].pages[address] = std::move(page);
    }
    return recording;
}

std::string write_recording(const Recording& recording) {
    std::string text = fmt::format("{}\n", kFirstLine);
    for (std::size_t i = 0; i < recording.images.size(); ++i) {
        text += fmt::format("image {}\n", i);
        for (const auto& [name, address] : recording.images[i].symbols) {
            text += address ? fmt::format("symbol {:#x} {}\n", *address, name)
                            : fmt::format("symbol absent {}\n", name);
        }
        for (const auto& [name, layout] : recording.images[i].types) {
            if (!layout) {
                text += fmt::format("type absent {}\n", name);
                continue;
            }
            text += fmt::format("type {} {}\n", layout->size, name);
            for (const auto& field : layout->fields)
                text += fmt::format("field {} {} {}\n", field.offset, field.size, field.name);
        }
    }
    for (const auto& process : recording.processes) {
        text += fmt::format("process {} {}\n", process.rank, process.image);
        for (const auto& [address, page] : process.pages)
            write_page(text, address, page);
    }
    return text;
}

Result<Recording> parse_recording(const std::string& text) {
    return Parser().parse(text);
}

std::unique_ptr<DebuggedJob> replay(Recording recording) {
    return std::make_unique<RecordedJob>(std::move(recording));
}

}  // namespace mqinspect::conformance
