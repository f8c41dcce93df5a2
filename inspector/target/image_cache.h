/// What was found out about one image before, kept on disk between runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "inspector/target/image.h"
#include "model/call.h"

namespace mqinspect::target {

/// Answers to Image::find_type and Image::location_at, negative ones too.
struct ImageFacts {
    /// A null pointer: there is no such type.
    std::map<std::string, std::unique_ptr<TypeLayout>, std::less<>> types;
    /// By address as linked; empty: no line is known.
    std::map<std::uint64_t, std::optional<model::SourceLocation>> lines;
};

/// The content of a cache file and back. Facts that the format cannot hold are
/// left out. Null: not a complete file of this version for this build-id.
std::string write_facts(const ImageFacts& facts, std::string_view build_id);
std::optional<ImageFacts> parse_facts(std::string_view text, std::string_view build_id);

/// The facts of one image, and their file: one text file per build-id. A file
/// that is damaged, of another version, not ours, or writable by others is
/// ignored and replaced.
class ImageCache {
public:
    /// Without a directory or a build-id nothing is read or written.
    ImageCache(std::filesystem::path directory, std::string build_id);

    const ImageFacts& facts() const { return facts_; }
    /// Returns the layout kept.
    const TypeLayout* add_type(std::string_view name, std::unique_ptr<TypeLayout> layout);
    void add_line(std::uint64_t address, std::optional<model::SourceLocation> location);
    /// Writes the file if something was added. Failure is no error: the next run
    /// is slower.
    void save();

private:
    std::filesystem::path directory_;
    std::string build_id_;
    ImageFacts facts_;
    bool changed_ = false;
};

}  // namespace mqinspect::target
