/// A folder for one archive, which goes with it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace mqinspect::test {

class ArchiveFolder {
public:
    ArchiveFolder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "mqinspect-test-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ArchiveFolder(const ArchiveFolder&) = delete;
    ArchiveFolder& operator=(const ArchiveFolder&) = delete;
    ~ArchiveFolder() { std::filesystem::remove_all(path_); }

    std::string archive() const { return (path_ / "archive").string(); }
    /// What names the archive to those who read it.
    std::string anchor() const { return archive() + "/traces.otf2"; }

private:
    std::filesystem::path path_;
};

}  // namespace mqinspect::test
