#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdlib>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "inspector/target/image.h"

namespace mqinspect::target {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

enum class Match { DeviceAndInode, InodeOnly };

bool leads_to(const std::string& path, std::uint64_t device, std::uint64_t inode, Match match) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    const std::uint64_t found = std::uint64_t{major(status.st_dev)} << 32 | minor(status.st_dev);
    return status.st_ino == inode && (match == Match::InodeOnly || found == device);
}

// In this order: by name, by name in the target's mount namespace (a container),
// and by the mapping itself, whatever the name means now. btrfs and overlayfs
// show another device in /proc/PID/maps than stat(2) does; hence the second round.
Result<std::unique_ptr<Image>> open_mapped(int pid,
                                           const std::string& path,
                                           std::uint64_t device,
                                           std::uint64_t inode,
                                           std::uint64_t map_start,
                                           std::uint64_t map_end) {
    std::string shown = path;
    const bool deleted = path.ends_with(kDeleted);
    if (deleted) shown.resize(shown.size() - kDeleted.size());
    const std::string link = fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, map_start, map_end);
    const std::string inside = fmt::format("/proc/{}/root{}", pid, path);
    for (const Match match : {Match::DeviceAndInode, Match::InodeOnly}) {
        if (!deleted) {
            for (const std::string& name : {path, inside}) {
                if (leads_to(name, device, inode, match)) return Image::open(name, shown);
            }
        }
        if (leads_to(link, device, inode, match)) return Image::open(link, shown);
    }
    return Error{ErrorCode::MissingDebugInfo,
                 fmt::format("{} was deleted or replaced while process {} runs it", shown, pid)};
}

}  // namespace

struct ImageStore::State {
    std::filesystem::path cache_directory;
    // A file that could not be opened stays so for the other ranks.
    std::map<std::pair<std::uint64_t, std::uint64_t>, Result<std::unique_ptr<Image>>> images;
    std::map<std::filesystem::path, Result<std::unique_ptr<Image>>> files;  // mapped by nobody
};

ImageStore::ImageStore(std::filesystem::path cache_directory) : state_(std::make_unique<State>()) {
    state_->cache_directory = std::move(cache_directory);
}

ImageStore::~ImageStore() {
    save();
}

Result<Image*> ImageStore::image(int pid,
                                 const std::string& path,
                                 std::uint64_t device,
                                 std::uint64_t inode,
                                 std::uint64_t map_start,
                                 std::uint64_t map_end) {
    const auto key = std::pair{device, inode};
    auto known = state_->images.find(key);
    if (known == state_->images.end()) {
        // Device and inode 0: no file of any kind.
        auto opened = path == "[vdso]" ? Image::vdso()
                                       : open_mapped(pid, path, device, inode, map_start, map_end);
        if (opened) (*opened)->use_cache(state_->cache_directory);
        known = state_->images.emplace(key, std::move(opened)).first;
    }
    if (!known->second) return known->second.error();
    return known->second->get();
}

Result<Image*> ImageStore::file(const std::filesystem::path& path) {
    auto known = state_->files.find(path);
    if (known == state_->files.end()) {
        auto opened = Image::open(path, path.native());
        if (opened) (*opened)->use_cache(state_->cache_directory);
        known = state_->files.emplace(path, std::move(opened)).first;
    }
    if (!known->second) return known->second.error();
    return known->second->get();
}

void ImageStore::save() {
    for (auto& [path, image] : state_->files) {
        if (image) (*image)->save_cache();
    }
    for (auto& [key, image] : state_->images) {
        if (image) (*image)->save_cache();
    }
}

std::filesystem::path default_image_cache() {
    const auto variable = [](const char* name) -> std::filesystem::path {
        const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        return value == nullptr ? "" : value;
    };
    if (auto root = variable("MQI_CACHE"); !root.empty()) return root / "images";
    if (auto root = variable("XDG_CACHE_HOME"); !root.empty()) return root / "mqinspect/images";
    if (auto home = variable("HOME"); !home.empty()) return home / ".cache/mqinspect/images";
    return {};
}

}  // namespace mqinspect::target
