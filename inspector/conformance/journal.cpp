#include "inspector/conformance/journal.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

namespace mqinspect::conformance {

namespace {

/// More pages than this of one read are no memory of an MPI library.
constexpr std::uint64_t kMaxPagesOfARead = 1 << 18;
/// What happens more often is not counted further.
constexpr int kMaxTimes = 1000;

std::string one_field(std::string_view text) {
    std::string result(text);
    std::ranges::replace_if(
        result, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return result;
}

template <class T>
bool parse(const std::string& text, T& value) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end;
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, '\t');)
        fields.push_back(field);
    return fields;
}

class Reader {
public:
    Reader(std::size_t images, std::size_t processes) : images_(images), processes_(processes) {}

    void take(const std::vector<std::string>& fields) {
        if (fields.empty()) return;
        const std::string& kind = fields[0];
        if (kind == "done") findings_.done = true;
        if (fields.size() == 2 && kind == "unrecorded") findings_.unrecorded.push_back(fields[1]);
        if (fields.size() == 2 && kind == "not-applicable") findings_.not_applicable = fields[1];
        if (fields.size() == 4 && kind == "violation") take_violation(fields);
        if (fields.size() == 3 && kind == "again") take_repetition(fields);
        if (fields.size() == 3) take_question(fields);
    }
    Findings& findings() { return findings_; }

private:
    void take_violation(const std::vector<std::string>& fields) {
        const auto rule = rule_named(fields[1]);
        if (rule) findings_.violations.push_back({*rule, fields[2], fields[3]});
    }

    void take_repetition(const std::vector<std::string>& fields) {
        for (Violation& known : findings_.violations) {
            if (name_of(known.rule) == fields[1] && known.function == fields[2]) ++known.times;
        }
    }

    void take_question(const std::vector<std::string>& fields) {
        const std::string& kind = fields[0];
        std::size_t owner = 0;
        if (!parse(fields[1], owner)) return;
        std::uint64_t address = 0;
        if (kind == "symbol" && owner < images_) {
            findings_.questions.symbols.emplace(owner, fields[2]);
        } else if (kind == "type" && owner < images_) {
            findings_.questions.types.emplace(owner, fields[2]);
        } else if (kind == "page" && owner < processes_ && parse(fields[2], address) &&
                   address % kPageBytes == 0) {
            findings_.questions.pages.emplace(owner, address);
        } else if (long value = 0; kind == "figure" && owner < std::size_t(Figure::Count) &&
                                   parse(fields[2], value)) {
            findings_.figures[static_cast<Figure>(owner)] = value;
        }
    }

    std::size_t images_;
    std::size_t processes_;
    Findings findings_;
};

}  // namespace

void Journal::write_line(const std::string& line) const {
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = write(fd_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(EXIT_FAILURE);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
}

void Journal::violation(Rule rule, std::string_view function, const std::string& text) {
    const std::string where = one_field(function);
    const int times = ++told_[{rule, where}];
    if (times == 1) {
        write_line(fmt::format("violation\t{}\t{}\t{}\n", name_of(rule), where, one_field(text)));
    } else if (times <= kMaxTimes) {
        write_line(fmt::format("again\t{}\t{}\n", name_of(rule), where));
    }
}

void Journal::asked_symbol(std::size_t image, const std::string& name) {
    if (!questions_.symbols.emplace(image, name).second) return;
    write_line(fmt::format("symbol\t{}\t{}\n", image, one_field(name)));
}

void Journal::asked_type(std::size_t image, const std::string& name) {
    if (!questions_.types.emplace(image, name).second) return;
    write_line(fmt::format("type\t{}\t{}\n", image, one_field(name)));
}

void Journal::asked_memory(std::size_t process, std::uint64_t address, std::size_t size) {
    const std::uint64_t first = address / kPageBytes;
    const std::uint64_t count = std::min<std::uint64_t>(
        (address % kPageBytes + size + kPageBytes - 1) / kPageBytes, kMaxPagesOfARead);
    for (std::uint64_t page = first; page < first + count; ++page) {
        if (!questions_.pages.emplace(process, page * kPageBytes).second) continue;
        write_line(fmt::format("page\t{}\t{}\n", process, page * kPageBytes));
    }
}

void Journal::unrecorded(const std::string& what) {
    if (!unrecorded_.insert(what).second) return;
    write_line(fmt::format("unrecorded\t{}\n", one_field(what)));
}

void Journal::not_applicable(const std::string& why) {
    write_line(fmt::format("not-applicable\t{}\n", one_field(why)));
}

void Journal::figure(Figure figure, long value) {
    write_line(fmt::format("figure\t{}\t{}\n", static_cast<int>(figure), value));
}

void Journal::done() {
    write_line("done\n");
}

Findings read_journal(const std::string& text, std::size_t images, std::size_t processes) {
    Reader reader(images, processes);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        reader.take(fields_of(line));
    return std::move(reader.findings());
}

}  // namespace mqinspect::conformance
