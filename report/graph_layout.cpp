#include "report/graph_layout.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <iterator>
#include <locale>
#include <sstream>

#include <fmt/format.h>

#include "base/unique_fd.h"

namespace mqinspect::report {
namespace {

constexpr double kPointsPerInch = 72;
constexpr std::size_t kMaxAnswerBytes = 16U << 20U;
constexpr std::size_t kMaxCurvePoints = 1000;
constexpr std::size_t kMaxLeavesInRow = 6;

Error system_error(std::string_view what, int number) {
    return {ErrorCode::System, fmt::format("{}: {}", what, std::strerror(number))};
}

/// How many ranks of the drawing each edge spans. Nodes with one edge that leads to or comes from
/// the same node would all stand side by side; they get several rows instead.
std::vector<std::size_t> lengths(std::size_t nodes,
                                 std::span<const std::pair<std::size_t, std::size_t>> edges) {
    std::vector<std::size_t> of_node(nodes);
    for (const auto& [from, to] : edges) {
        ++of_node[from];
        ++of_node[to];
    }
    std::vector<std::size_t> before(nodes);  // leaves above it
    std::vector<std::size_t> behind(nodes);  // and below
    std::vector<std::size_t> result;
    result.reserve(edges.size());
    for (const auto& [from, to] : edges) {
        const bool starts = of_node[from] == 1;
        const bool ends = of_node[to] == 1;
        if (starts == ends) {
            result.push_back(1);
        } else {
            result.push_back(1 + (starts ? before[to]++ : behind[from]++) / kMaxLeavesInRow);
        }
    }
    return result;
}

/// The graph in dot's language: sizes and numbers only, nothing from the target.
std::string question(std::span<const BoxSize> nodes,
                     std::span<const std::pair<std::size_t, std::size_t>> edges) {
    const std::vector<std::size_t> spans = lengths(nodes.size(), edges);
    // Edges that pass other rows take room beside the boxes, as much as boxes are apart.
    const bool has_rows = std::ranges::any_of(spans, [](std::size_t span) { return span > 1; });
    std::string out = fmt::format(
        "digraph g {{ graph [nodesep={}, ranksep=0.55];"
        " node [shape=box, fixedsize=true, label=\"\"]; edge [arrowhead=none];\n",
        has_rows ? "0.1" : "0.35");
    const auto line = std::back_inserter(out);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        fmt::format_to(line,
                       "n{} [width={:.4f}, height={:.4f}];\n",
                       i,
                       nodes[i].width / kPointsPerInch,
                       nodes[i].height / kPointsPerInch);
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        fmt::format_to(
            line, "n{} -> n{} [minlen={}];\n", edges[i].first, edges[i].second, spans[i]);
    }
    return out + "}\n";
}

/// A file without a name, so that no pipe can fill up or break while dot is reading.
Result<UniqueFd> file_with(std::string_view text) {
    UniqueFd file(memfd_create("graph", MFD_CLOEXEC));
    if (!file) return system_error("memfd_create", errno);
    while (!text.empty()) {
        const ssize_t written = write(file.get(), text.data(), text.size());
        if (written <= 0) return system_error("cannot write the graph", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (lseek(file.get(), 0, SEEK_SET) != 0) return system_error("lseek", errno);
    return file;
}

/// A child process that is gone when this is.
class Child {
public:
    explicit Child(pid_t pid) : pid_(pid) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        wait();
    }

    /// True if it has ended by itself, and well.
    bool wait() {
        int status = 0;
        pid_t ended = 0;
        do {
            ended = waitpid(pid_, &status, 0);
        } while (ended < 0 && errno == EINTR);
        pid_ = 0;
        return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

private:
    pid_t pid_;
};

Result<pid_t> start_dot(int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char name[] = "dot";
    char format[] = "-Tplain";
    char* arguments[] = {name, format, nullptr};
    pid_t pid = 0;
    const int failed = posix_spawnp(&pid, name, &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        return system_error("cannot run dot, which is in the package graphviz", failed);
    }
    return pid;
}

Result<std::string> read_all(int from, std::chrono::steady_clock::time_point until) {
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            until - std::chrono::steady_clock::now());
        pollfd ready{from, POLLIN, 0};
        if (left.count() <= 0) return Error{ErrorCode::System, "dot takes too long"};
        if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t count = read(from, buffer.data(), buffer.size());
        if (count < 0 && errno != EINTR) return system_error("cannot read from dot", errno);
        if (count == 0) return text;
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() > kMaxAnswerBytes) return Error{ErrorCode::CorruptData, "dot is verbose"};
    }
}

Error unexpected(std::string_view line) {
    return {ErrorCode::CorruptData, fmt::format("dot's answer is not understood: {}", line)};
}

/// "n12" -> 12, if there are so many.
bool node_number(std::istream& words, std::size_t count, std::size_t& number) {
    char n = 0;
    return words >> n >> number && n == 'n' && number < count;
}

/// Turns inches from the bottom into points from the top.
struct Scale {
    double height = 0;

    bool read(std::istream& words, Point& point) const {
        double x = 0;
        double y = 0;
        if (!(words >> x >> y) || !std::isfinite(x) || !std::isfinite(y)) return false;
        point = {x * kPointsPerInch, (height - y) * kPointsPerInch};
        return true;
    }
};

bool read_curve(std::istream& words, const Scale& scale, std::vector<Point>& curve) {
    std::size_t points = 0;
    if (!(words >> points) || points < 4 || points > kMaxCurvePoints || points % 3 != 1) {
        return false;
    }
    curve.resize(points);
    for (Point& point : curve) {
        if (!scale.read(words, point)) return false;
    }
    return true;
}

}  // namespace

Result<GraphLayout> parse_plain(std::string_view text, std::size_t nodes, std::size_t edges) {
    GraphLayout layout;
    layout.centers.resize(nodes);
    Scale scale;
    std::size_t nodes_seen = 0;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        words.imbue(std::locale::classic());
        std::string kind;
        words >> kind;
        if (kind == "graph") {
            double factor = 0;
            double width = 0;
            if (!(words >> factor >> width >> scale.height)) return unexpected(line);
            layout.size = {width * kPointsPerInch, scale.height * kPointsPerInch};
        } else if (kind == "node") {
            std::size_t number = 0;
            if (!node_number(words, nodes, number)) return unexpected(line);
            if (!scale.read(words, layout.centers[number])) return unexpected(line);
            ++nodes_seen;
        } else if (kind == "edge") {
            std::size_t from = 0;
            std::size_t to = 0;
            if (!node_number(words, nodes, from) || !node_number(words, nodes, to)) {
                return unexpected(line);
            }
            layout.edges.emplace_back(from, to);
            if (!read_curve(words, scale, layout.curves.emplace_back())) return unexpected(line);
        } else if (kind != "stop") {
            return unexpected(line);
        }
    }
    if (nodes_seen != nodes || layout.edges.size() != edges) return unexpected("the end");
    return layout;
}

Result<GraphLayout> lay_out(std::span<const BoxSize> nodes,
                            std::span<const std::pair<std::size_t, std::size_t>> edges,
                            std::chrono::milliseconds deadline) {
    const auto until = std::chrono::steady_clock::now() + deadline;
    const UniqueFd input = TRY(file_with(question(nodes, edges)));
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return system_error("pipe", errno);
    const UniqueFd output(ends[0]);
    UniqueFd other_end(ends[1]);
    Child dot(TRY(start_dot(input.get(), other_end.get())));
    other_end.reset();
    const std::string answer = TRY(read_all(output.get(), until));
    if (!dot.wait()) return Error{ErrorCode::System, "dot has failed"};
    return parse_plain(answer, nodes.size(), edges.size());
}

}  // namespace mqinspect::report
