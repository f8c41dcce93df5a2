/// Types of one image that were looked up before, kept on disk between runs.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "inspector/target/image.h"

namespace mqinspect::target {

/// One text file per build-id. A file that is damaged, of another version, not
/// ours, or writable by others is ignored and replaced.
class TypeCache {
public:
    /// Without a directory or a build-id nothing is read or written.
    TypeCache(std::filesystem::path directory, std::string build_id);

    /// Null: nothing is known. A null pointer inside: known to be absent.
    const std::unique_ptr<TypeLayout>* find(std::string_view name) const;
    /// Null `layout`: there is no such type. Returns the layout kept.
    const TypeLayout* add(std::string_view name, std::unique_ptr<TypeLayout> layout);
    /// Writes the file if something was added. Failure is no error: the next run
    /// is slower.
    void save();

private:
    std::filesystem::path directory_;
    std::string build_id_;
    std::map<std::string, std::unique_ptr<TypeLayout>, std::less<>> types_;
    bool changed_ = false;
};

/// The content of a cache file and back, for TypeCache and its tests. False:
/// not a complete file of this version for this build-id.
using TypesByName = std::map<std::string, std::unique_ptr<TypeLayout>, std::less<>>;
std::string write_types(const TypesByName& types, std::string_view build_id);
bool parse_types(std::string_view text, std::string_view build_id, TypesByName& types);

}  // namespace mqinspect::target
