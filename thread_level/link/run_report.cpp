#include "thread_level/link/run_report.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace mqinspect::thread_level::link {
namespace {

constexpr std::string_view kFirstLine = "mpi-thread-level-run 1";

/// Up to the next tab; the tab goes with it.
std::string_view take_field(std::string_view& rest) {
    const std::size_t tab = rest.find('\t');
    const std::string_view field = rest.substr(0, tab);
    rest.remove_prefix(tab == std::string_view::npos ? rest.size() : tab + 1);
    return field;
}

/// The word that a line starts with.
std::string_view take_word(std::string_view& rest) {
    const std::size_t end = rest.find_first_of(" \t");
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return word;
}

std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return number;
}

std::string key_of(std::string_view procedure,
                   std::string_view line,
                   std::string_view column,
                   std::string_view file) {
    return fmt::format("{}\t{}\t{}\t{}", procedure, line, column, file);
}

std::string key_of(const std::string& procedure, const SourcePlace& place) {
    return key_of(procedure, std::to_string(place.line), std::to_string(place.column), place.file);
}

std::string key_of(const Unit& program, const Step& step) {
    const Place& place = step.place;
    return key_of(program.strings[step.name],
                  SourcePlace{program.strings[place.file], place.line, place.column});
}

}  // namespace

void RunReports::read(const std::string& path) {
    std::error_code error;
    std::vector<std::string> files{path};
    if (std::filesystem::is_directory(path, error)) {
        files.clear();
        for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
            if (entry.path().extension() == ".run") files.push_back(entry.path().string());
        }
        std::ranges::sort(files);
        if (files.empty()) problems_.push_back(path + ": no file *.run of a recorded run");
    }
    for (const std::string& file : files) {
        std::ifstream stream(file, std::ios::binary);
        if (!stream) {
            problems_.push_back(fmt::format("{}: {}", file, std::strerror(errno)));
            continue;
        }
        add(file, std::string(std::istreambuf_iterator<char>(stream), {}));
    }
}

void RunReports::add(const std::string& file, std::string_view text) {
    Sites sites;
    std::size_t number = 0;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (++number == 1 ? line == kFirstLine : add_line(line, sites)) continue;
        if (number == 1) {
            problems_.push_back(file + ": not a report of run-time checks");
            return;
        }
        problems_.push_back(fmt::format("{}:{}: not understood", file, number));
    }
    if (number != 0) ++reports_;
}

bool RunReports::add_line(std::string_view line, Sites& sites) {
    // Of the program that replaced the one before in its process.
    if (line == kFirstLine) {
        sites.clear();
        return true;
    }
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word == "site") return add_site(rest, sites);
    if (word == "context") return add_context(rest, sites);
    if (word == "pair") return add_pair(rest, sites);
    if (word == "rank") return number_in(rest).has_value();
    const std::optional<std::size_t> level = number_in(rest);
    if (word != "provided" || !level || *level > static_cast<std::size_t>(Level::Multiple))
        return false;
    provided_ = std::min(provided_.value_or(Level::Multiple), static_cast<Level>(*level));
    return true;
}

bool RunReports::add_site(std::string_view fields, Sites& sites) {
    const std::optional<std::size_t> id = number_in(take_field(fields));
    if (!id || take_field(fields) != "1") return false;
    take_field(fields);  // flags
    take_field(fields);  // form of the communicator
    const std::string_view procedure = take_field(fields);
    take_field(fields);  // function
    const std::string_view line = take_field(fields);
    const std::string_view column = take_field(fields);
    const auto [site, is_new] = sites.emplace(*id, key_of(procedure, line, column, fields));
    if (is_new) contexts_.try_emplace(site->second, 0);
    return is_new;
}

bool RunReports::add_context(std::string_view fields, const Sites& sites) {
    const std::optional<std::size_t> id = number_in(take_field(fields));
    const std::optional<std::size_t> level = number_in(fields);
    const auto site = id ? sites.find(*id) : sites.end();
    if (site == sites.end() || !level || *level > 2) return false;
    int& highest = contexts_[site->second];
    highest = std::max(highest, static_cast<int>(*level));
    return true;
}

bool RunReports::add_pair(std::string_view fields, const Sites& sites) {
    const std::string_view word = take_field(fields);
    const std::optional<std::size_t> first = number_in(take_field(fields));
    const std::optional<std::size_t> second = number_in(fields);
    const auto one = first ? sites.find(*first) : sites.end();
    const auto other = second ? sites.find(*second) : sites.end();
    if (one == sites.end() || other == sites.end()) return false;
    Meeting meeting = Meeting::None;
    if (word == "collectives") meeting = Meeting::InSomeTurn;
    if (word == "unordered") meeting = Meeting::Unordered;
    if (word == "overlapped") meeting = Meeting::Overlapped;
    Meeting& seen = meetings_[std::minmax(one->second, other->second)];
    seen = std::max(seen, meeting);
    return meeting != Meeting::None;
}

/// Of two of the calls, or of one with itself if there is only one. Where all that counts is that a
/// call is not alone, any other may be its partner.
RunReports::Meeting RunReports::meeting_of(const std::vector<Key>& calls, bool with_any) const {
    const auto is_among = [&](const Key& call) { return std::ranges::count(calls, call) != 0; };
    Meeting highest = Meeting::None;
    for (const auto& [pair, meeting] : meetings_) {
        const auto& [one, other] = pair;
        const bool counts =
            with_any ? is_among(one) || is_among(other)
                     : is_among(one) && is_among(other) && (calls.size() == 1 || one != other);
        if (counts) highest = std::max(highest, meeting);
    }
    return highest;
}

Evidence RunReports::evidence_of(const Finding& finding) const {
    std::vector<Key> calls;
    for (std::size_t at = 0; at < finding.calls.size(); ++at)
        calls.push_back(key_of(finding.calls[at], finding.call_places[at]));
    const auto was_executed = [this](const Key& call) { return contexts_.contains(call); };
    if (finding.rule == Rule::ThreadLevel && finding.required != Level::Multiple) {
        const bool is_above = std::ranges::any_of(calls, [&](const Key& call) {
            return was_executed(call) && contexts_.at(call) >= static_cast<int>(finding.required);
        });
        if (is_above) return Evidence::ConfirmedContext;
        return std::ranges::any_of(calls, was_executed) ? Evidence::ExecutedAndOrdered
                                                        : Evidence::NotExecuted;
    }
    const Meeting needed =
        finding.rule == Rule::CollectiveOrder ? Meeting::InSomeTurn : Meeting::Unordered;
    const Meeting seen = meeting_of(calls, finding.rule == Rule::ThreadLevel);
    if (seen == Meeting::Overlapped) return Evidence::ConfirmedOverlapped;
    if (seen >= needed) return Evidence::ConfirmedUnordered;
    return std::ranges::all_of(calls, was_executed) ? Evidence::ExecutedAndOrdered
                                                    : Evidence::NotExecuted;
}

void RunReports::apply(const Unit& program, Report& report) {
    if (is_empty()) return;
    report.provided = provided_;
    bool is_known = contexts_.empty();
    for (const Function& function : program.functions) {
        for (const Step& step : function.steps)
            is_known = is_known || (step.is_checked && contexts_.contains(key_of(program, step)));
    }
    if (!is_known) {
        problems_.emplace_back(
            "the run reports are of another program, or of one that was compiled without 'check'");
        return;
    }
    for (Finding& finding : report.findings)
        if (finding.is_checked) finding.evidence = evidence_of(finding);
}

}  // namespace mqinspect::thread_level::link
