#include "inspector/shell/history.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/unique_fd.h"

namespace mqinspect::shell {

namespace {

/// XDG Base Directory Specification 0.8: a relative path counts for nothing.
std::optional<std::filesystem::path> directory(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || value[0] != '/') return std::nullopt;
    return value;
}

}  // namespace

std::optional<std::string> history_file() {
    if (const char* chosen = std::getenv("MQI_HISTORY")) {
        if (chosen[0] == '\0') return std::nullopt;
        return chosen;
    }
    if (const auto state = directory("XDG_STATE_HOME")) return *state / "mqinspect/history";
    if (const auto home = directory("HOME")) return *home / ".local/state/mqinspect/history";
    return std::nullopt;
}

bool make_private(const std::string& file) {
    std::error_code failed;
    const auto folder = std::filesystem::path(file).parent_path();
    if (!folder.empty() && !std::filesystem::exists(folder, failed)) {
        std::filesystem::create_directories(folder, failed);
        if (failed) return false;
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
    }
    const UniqueFd made(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    return static_cast<bool>(made);
}

}  // namespace mqinspect::shell
