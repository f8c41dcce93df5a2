#include "inspector/target/image_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/unique_fd.h"

namespace mqinspect::target {
namespace {

constexpr std::string_view kHeader = "mqinspect image 2";
constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxFields = 65536;
// More places than the stacks of any job show; beyond, the file stays as it is.
constexpr std::size_t kMaxLines = 100'000;

// Names are words of a line.
bool is_word(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) > ' ' && c != '\x7f';
    });
}

bool is_writable(std::string_view name, const TypeLayout* layout) {
    if (!is_word(name)) return false;
    if (layout == nullptr) return true;
    return is_word(layout->name) &&
           std::all_of(layout->fields.begin(), layout->fields.end(), [](const auto& field) {
               return is_word(field.name);
           });
}

// The rest of a line.
bool is_text(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
    });
}

// FNV-1a: tells a torn file, not a forged one; that one is told by its owner.
std::uint64_t checksum(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

// The words of one line.
class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next() {
        const std::size_t end = std::min(rest_.find(' '), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }
    std::string_view rest() const { return rest_; }
    template <class Integer>
    bool next(Integer& value, int base = 10) {
        const std::string_view word = next();
        const auto [end, error] =
            std::from_chars(word.data(), word.data() + word.size(), value, base);
        return error == std::errc{} && end == word.data() + word.size();
    }

private:
    std::string_view rest_;
};

class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}
    bool next(std::string_view& line) {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) return false;
        line = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return true;
    }

private:
    std::string_view rest_;
};

bool parse_fields(Lines& lines, std::size_t count, TypeLayout& layout) {
    for (std::size_t i = 0; i < count; ++i) {
        std::string_view line;
        if (!lines.next(line)) return false;
        Words words(line);
        TypeLayout::Field field;
        if (words.next() != "field" || !words.next(field.offset) || !words.next(field.size))
            return false;
        field.name = words.next();
        if (!is_word(field.name)) return false;
        layout.fields.push_back(std::move(field));
    }
    return true;
}

bool parse_type(Words words, Lines& lines, ImageFacts& facts) {
    const std::string_view name = words.next();
    auto layout = std::make_unique<TypeLayout>();
    std::size_t fields = 0;
    if (!is_word(name) || !words.next(layout->size) || !words.next(fields) || fields > kMaxFields)
        return false;
    layout->name = words.next();
    if (!is_word(layout->name) || !parse_fields(lines, fields, *layout)) return false;
    facts.types[std::string(name)] = std::move(layout);
    return true;
}

bool parse_place(Words words, bool known, ImageFacts& facts) {
    std::uint64_t address = 0;
    if (!words.next(address, 16) || facts.lines.size() >= kMaxLines) return false;
    std::optional<model::SourceLocation> location;
    if (known) {
        location.emplace();
        if (!words.next(location->line) || !is_text(words.rest())) return false;
        location->file = words.rest();
    }
    facts.lines[address] = std::move(location);
    return true;
}

// A directory that only we can write.
bool is_private_directory(const std::filesystem::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == geteuid() && (status.st_mode & 022) == 0;
}

bool create_private_directory(const std::filesystem::path& path) {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    ::mkdir(path.c_str(), 0700);
    return is_private_directory(path);
}

std::optional<std::string> read_private_file(const std::filesystem::path& path) {
    const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    if (status.st_uid != geteuid() || (status.st_mode & 022) != 0) return std::nullopt;
    if (status.st_size <= 0 || static_cast<std::size_t>(status.st_size) > kMaxFileBytes)
        return std::nullopt;
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t length = ::read(fd.get(), text.data(), text.size());
    if (length < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(length));
    return text;
}

}  // namespace

std::string write_facts(const ImageFacts& facts, std::string_view build_id) {
    std::string text = fmt::format("{} {}\n", kHeader, build_id);
    for (const auto& [name, layout] : facts.types) {
        if (!is_writable(name, layout.get())) continue;
        if (layout == nullptr) {
            text += fmt::format("none {}\n", name);
            continue;
        }
        text += fmt::format(
            "type {} {} {} {}\n", name, layout->size, layout->fields.size(), layout->name);
        for (const auto& field : layout->fields)
            text += fmt::format("field {} {} {}\n", field.offset, field.size, field.name);
    }
    for (const auto& [address, location] : facts.lines) {
        if (!location) {
            text += fmt::format("noline {:x}\n", address);
        } else if (is_text(location->file)) {
            text += fmt::format("line {:x} {} {}\n", address, location->line, location->file);
        }
    }
    text += fmt::format("end {}\n", checksum(text));
    return text;
}

std::optional<ImageFacts> parse_facts(std::string_view text, std::string_view build_id) {
    ImageFacts facts;
    Lines lines(text);
    std::string_view line;
    if (!lines.next(line) || line != fmt::format("{} {}", kHeader, build_id)) return std::nullopt;
    while (lines.next(line)) {
        Words words(line);
        const std::string_view kind = words.next();
        bool good = false;
        if (kind == "type") {
            good = parse_type(words, lines, facts);
        } else if (kind == "none") {
            const std::string_view name = words.next();
            good = is_word(name);
            facts.types[std::string(name)] = nullptr;
        } else if (kind == "line" || kind == "noline") {
            good = parse_place(words, kind == "line", facts);
        } else if (kind == "end") {
            std::uint64_t sum = 0;
            const auto body = text.substr(0, static_cast<std::size_t>(line.data() - text.data()));
            const bool last = body.size() + line.size() + 1 == text.size();
            if (last && words.next(sum) && sum == checksum(body)) return facts;
        }
        if (!good) return std::nullopt;
    }
    return std::nullopt;  // no end: torn
}

ImageCache::ImageCache(std::filesystem::path directory, std::string build_id)
    : directory_(std::move(directory)), build_id_(std::move(build_id)) {
    if (build_id_.empty()) directory_.clear();
    if (directory_.empty() || !is_private_directory(directory_)) return;
    const auto text = read_private_file(directory_ / build_id_);
    auto facts = text ? parse_facts(*text, build_id_) : std::nullopt;
    if (facts) facts_ = std::move(*facts);
}

const TypeLayout* ImageCache::add_type(std::string_view name, std::unique_ptr<TypeLayout> layout) {
    auto& slot = facts_.types[std::string(name)];
    slot = std::move(layout);
    changed_ = true;
    return slot.get();
}

void ImageCache::add_line(std::uint64_t address, std::optional<model::SourceLocation> location) {
    facts_.lines[address] = std::move(location);
    if (facts_.lines.size() <= kMaxLines) changed_ = true;
}

void ImageCache::save() {
    if (!changed_ || directory_.empty()) return;
    changed_ = false;
    if (!create_private_directory(directory_)) return;
    const std::filesystem::path path = directory_ / build_id_;
    const std::string draft = fmt::format("{}.{}.new", path.native(), getpid());
    const std::string text = write_facts(facts_, build_id_);
    bool written = false;
    {
        const UniqueFd fd{
            ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
        if (!fd) return;
        written = ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }
    if (!written || ::rename(draft.c_str(), path.c_str()) != 0) ::unlink(draft.c_str());
}

}  // namespace mqinspect::target
