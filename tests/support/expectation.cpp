#include "tests/support/expectation.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

namespace mqinspect::testing {

namespace {

constexpr std::string_view kSeparator = " | ";
constexpr std::string_view kKeys[] = {"expect",
                                      "ranks",
                                      "starts",
                                      "world",
                                      "core",
                                      "wait",
                                      "call",
                                      "victim",
                                      "running",
                                      "exited",
                                      "hint",
                                      "sentence",
                                      "mpiexec",
                                      "launch",
                                      "wait_on",
                                      "on"};

Error bad_line(const std::filesystem::path& source, const std::string& line) {
    return Error{ErrorCode::InvalidArgument, source.filename().string() + ": " + line};
}

bool is_scenario(const std::filesystem::path& source) {
    const std::string name = source.stem();
    return name.ends_with("_deadlock") || name.ends_with("_hang_up") || name.ends_with("_ok");
}

/// Resolves "LINE(mark)".
bool locate(const std::filesystem::path& source, const std::string& text, ExpectedCall& call) {
    if (!text.starts_with("LINE(") || !text.ends_with(")")) return false;
    const std::string mark = text.substr(5, text.size() - 6);
    std::vector<std::filesystem::path> files = {source};
    for (const auto& entry : std::filesystem::directory_iterator(source.parent_path())) {
        if (entry.path().extension() == ".c" && !is_scenario(entry.path()))
            files.push_back(entry.path());
    }
    for (const auto& file : files) {
        call.line = marked_line(file, mark);
        call.file = file.filename();
        if (call.line > 0) return true;
    }
    return false;
}

std::vector<int> integers(std::string text) {
    std::ranges::replace(text, ',', ' ');
    std::istringstream stream(text);
    return {std::istream_iterator<int>(stream), {}};
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> split_launch(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(kSeparator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + kSeparator.size();
    }
    return parts;
}

bool read_call(const std::filesystem::path& source, const std::string& text, ExpectedCall& call) {
    const std::vector<std::string> parts = words(text);
    if (parts.size() != 3) return false;
    call.rank = std::stoi(parts[0]);
    call.function = parts[1];
    return locate(source, parts[2], call);
}

bool read_wait(const std::filesystem::path& source, const std::string& text, ExpectedWait& wait) {
    const std::vector<std::string> parts = words(text);
    if (parts.size() != 5) return false;
    wait.call.rank = std::stoi(parts[0]);
    wait.mode = parts[1];
    wait.targets = integers(parts[2]);
    wait.call.function = parts[3];
    return locate(source, parts[4], wait.call);
}

/// One "key: value" of the comment; false if it is not understood.
bool take(const std::filesystem::path& source,
          const std::string& key,
          const std::string& value,
          Expectation& result) {
    if (key == "expect") {
        result.verdict = value;
    } else if (key == "on") {
        const std::size_t space = value.find(' ');
        if (space == std::string::npos) return false;
        result.differs_on[value.substr(0, space)] = value.substr(space + 1);
    } else if (key == "ranks") {
        result.ranks = std::stoi(value);
    } else if (key == "starts") {
        result.starts = std::stoi(value);
    } else if (key == "world") {
        result.worlds.push_back(integers(value));
    } else if (key == "core") {
        result.cores.push_back(integers(value));
    } else if (key == "wait") {
        return read_wait(source, value, result.waits.emplace_back());
    } else if (key == "wait_on") {
        const std::size_t space = std::min(value.find(' '), value.size());
        const auto place = result.waits_on.emplace(value.substr(0, space), ExpectedWait{});
        return read_wait(source, value.substr(space), place->second);
    } else if (key == "call") {
        return read_call(source, value, result.calls.emplace_back());
    } else if (key == "victim") {
        const std::vector<int> chain = integers(value);
        if (chain.empty()) return false;
        result.victims[chain.front()] = chain;
    } else if (key == "running") {
        if (value == "any") {
            result.running.reset();
        } else {
            result.running = integers(value);
        }
    } else if (key == "exited") {
        result.exited = integers(value);
    } else if (key == "hint") {
        const std::size_t space = value.find(' ');
        if (space == std::string::npos) return false;
        result.hints[std::stoi(value)] = value.substr(space + 1);
    } else if (key == "sentence") {
        result.sentence.push_back(value);
    } else if (key == "mpiexec") {
        result.launcher_options = words(value);
    } else {
        result.launch = split_launch(value);
    }
    return true;
}

bool is_key(const std::string& word) {
    return std::ranges::find(kKeys, word) != std::end(kKeys);
}

}  // namespace

int marked_line(const std::filesystem::path& source, const std::string& mark) {
    std::ifstream stream(source);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.ends_with(" @" + mark)) return number;
    }
    return 0;
}

std::string Expectation::difference_on(std::string_view device) const {
    for (const auto& [start, difference] : differs_on) {
        if (device.starts_with(start)) return difference;
    }
    return {};
}

void Expectation::settle_waits_on(std::string_view device) {
    for (const auto& [start, other] : waits_on) {
        for (ExpectedWait& wait : waits) {
            if (device.starts_with(start) && wait.call.rank == other.call.rank) wait = other;
        }
        for (ExpectedCall& call : calls) {
            if (device.starts_with(start) && call.rank == other.call.rank) call = other.call;
        }
    }
}

Result<Expectation> read_expectation(const std::filesystem::path& source) {
    std::ifstream stream(source);
    Expectation result;
    for (std::string line; std::getline(stream, line);) {
        const std::size_t start = line.find_first_not_of(" /*!");
        if (start == std::string::npos) {
            if (line.find("*/") != std::string::npos) break;
            continue;
        }
        // The comment has ended: nothing else starts a line with these.
        if (line.starts_with("#include") || line.starts_with("program")) break;
        const std::size_t colon = line.find(": ", start);
        if (colon == std::string::npos) continue;
        const std::string key = line.substr(start, colon - start);
        if (!is_key(key)) continue;
        if (!take(source, key, line.substr(colon + 2), result)) return bad_line(source, line);
    }
    if (result.verdict.empty() || result.ranks == 0)
        return bad_line(source, "no expectations in the first comment");
    if (result.starts == 0) result.starts = result.ranks;
    return result;
}

}  // namespace mqinspect::testing
