#include "inspector/job/process_table.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>

#include <fmt/format.h>

#include "inspector/target/process_maps.h"
#include "inspector/target/process_status.h"

namespace mqinspect::job {

namespace {

constexpr std::size_t kMaxDepth = 4096;
/// What the kernel appends to the path of an executable that was removed.
constexpr std::string_view kDeleted = " (deleted)";

/// "pid (name) state parent ...", where the name may hold anything.
bool parse_stat(std::string_view text, ProcessTable::Entry& entry) {
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
        text.size() < close + 5) {
        return false;
    }
    entry.name = text.substr(open + 1, close - open - 1);
    entry.state = text[close + 2];
    const std::string_view parent = text.substr(close + 4);
    const auto parsed = std::from_chars(parent.data(), parent.data() + parent.size(), entry.parent);
    return parsed.ec == std::errc{};
}

std::string text_of(pid_t pid, std::string_view file) {
    return target::read_proc_file(fmt::format("/proc/{}/{}", pid, file)).value_or(std::string());
}

}  // namespace

ProcessTable ProcessTable::read() {
    ProcessTable table;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc"), closedir);
    if (!directory) return table;
    while (const dirent* file = readdir(directory.get())) {
        const std::string_view name = file->d_name;
        pid_t pid = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) continue;
        Entry entry;
        if (!parse_stat(text_of(pid, "stat"), entry)) continue;
        table.children_[entry.parent].push_back(pid);
        table.entries_.emplace(pid, std::move(entry));
    }
    for (auto& [parent, children] : table.children_)
        std::ranges::sort(children);
    return table;
}

const ProcessTable::Entry* ProcessTable::find(pid_t pid) const {
    const auto found = entries_.find(pid);
    return found == entries_.end() ? nullptr : &found->second;
}

std::vector<pid_t> ProcessTable::ancestors(pid_t pid) const {
    std::vector<pid_t> result;
    const Entry* entry = find(pid);
    while (entry != nullptr && entry->parent > 0 && result.size() < kMaxDepth) {
        result.push_back(entry->parent);
        entry = find(entry->parent);
    }
    return result;
}

bool ProcessTable::is_descendant(pid_t pid, pid_t ancestor) const {
    const auto all = ancestors(pid);
    return std::ranges::find(all, ancestor) != all.end();
}

std::vector<pid_t> ProcessTable::descendants(pid_t pid,
                                             const std::unordered_set<pid_t>& closed) const {
    std::vector<pid_t> result;
    std::unordered_set<pid_t> seen{pid};
    const auto add_children_of = [&](pid_t parent) {
        const auto children = children_.find(parent);
        if (children == children_.end()) return;
        for (const pid_t child : children->second) {
            if (!closed.contains(child) && seen.insert(child).second) result.push_back(child);
        }
    };
    add_children_of(pid);
    for (std::size_t i = 0; i < result.size(); ++i)
        add_children_of(result[i]);
    return result;
}

bool exists_now(pid_t pid) {
    return kill(pid, 0) == 0 || errno == EPERM;
}

std::string executable_of(pid_t pid) {
    std::array<char, 4096> buffer{};
    const std::string link = fmt::format("/proc/{}/exe", pid);
    const ssize_t length = readlink(link.c_str(), buffer.data(), buffer.size());
    if (length <= 0) return {};
    std::string path(buffer.data(), static_cast<std::size_t>(length));
    if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
    return path;
}

std::vector<std::string> arguments_of(pid_t pid) {
    const std::string text = text_of(pid, "cmdline");
    std::vector<std::string> arguments;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\0', start), text.size());
        arguments.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return arguments;
}

std::string_view base_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool maps_mpi_library(pid_t pid) {
    const std::string text = text_of(pid, "maps");
    return std::ranges::any_of(target::parse_maps(text), [](const target::MapsLine& line) {
        const std::string_view file = base_name(line.path);
        return line.executable && file.starts_with("libmpi") &&
               file.find(".so") != std::string_view::npos;
    });
}

bool is_forked_copy(pid_t child, pid_t parent) {
    const std::string child_text = text_of(child, "maps");
    const std::string parent_text = text_of(parent, "maps");
    const auto child_maps = target::parse_maps(child_text);
    const auto parent_maps = target::parse_maps(parent_text);
    // exec(3) gives a program other addresses, at random.
    return !child_maps.empty() && !parent_maps.empty() &&
           child_maps.front().start == parent_maps.front().start &&
           child_maps.front().inode == parent_maps.front().inode &&
           executable_of(child) == executable_of(parent);
}

}  // namespace mqinspect::job
