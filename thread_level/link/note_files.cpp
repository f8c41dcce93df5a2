#include "thread_level/link/note_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "thread_level/link/object_file.h"
#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level::link {
namespace {

bool is_gcc_12(const std::string& compiler) {
    return compiler.starts_with("GCC:") && compiler.find(" 12.") != std::string::npos;
}

/// A compiler that the plugin is not for.
std::optional<std::string> other_compiler(const ObjectFile& file) {
    const auto other = std::ranges::find_if_not(file.compilers, is_gcc_12);
    if (other == file.compilers.end()) return {};
    return other->starts_with("GCC: ") ? "GCC " + other->substr(other->rfind(' ') + 1) : *other;
}

std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// Of the C library's start-up code, and names that the linker makes up.
bool is_of_the_toolchain(const std::string& source) {
    return source.starts_with("crt") || source == "offloadstuff.c" || source.starts_with("<") ||
           source.find('.') == std::string::npos || source.ends_with(".o") ||
           source.ends_with(".S") || source.starts_with("elf-init");
}

}  // namespace

void NoteFiles::complain(const std::string& name, std::string_view what) {
    problems_.push_back(fmt::format("{}: {}", name, what));
}

void NoteFiles::read(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        fail(path, "is a directory");
        return;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        fail(path, std::strerror(errno));
        return;
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    read_bytes(path, bytes);
}

void NoteFiles::read_bytes(const std::string& name, std::string_view bytes) {
    if (bytes.starts_with("!<thin>\n")) {
        fail(name, "a thin archive has no objects in it: name the objects themselves");
    } else if (is_archive(bytes)) {
        read_archive(name, bytes);
    } else if (bytes.starts_with("BC\xc0\xde")) {
        complain(name, "bitcode of clang, which has no notes");
    } else {
        read_elf(name, bytes);
    }
}

void NoteFiles::read_archive(const std::string& name, std::string_view bytes) {
    const Archive archive = read_archive_members(bytes);
    for (const ArchiveMember& member : archive.members)
        read_bytes(fmt::format("{}({})", name, member.name), member.bytes);
    if (!archive.error.empty()) fail(name, archive.error);
}

void NoteFiles::read_elf(const std::string& name, std::string_view bytes) {
    const ObjectFile file = read_object(bytes);
    if (!file.error.empty()) {
        fail(name, file.error);
        return;
    }
    const std::size_t units_before = units_.size();
    for (const std::string& section : file.notes)
        add_notes(name, section);
    const std::optional<std::string> other = other_compiler(file);
    if (file.notes.empty()) {
        if (!file.has_code && !file.is_slim_lto) return;
        without_notes_.push_back(name);
        if (file.is_slim_lto) {
            complain(name,
                     "has only code for link-time optimization: its notes are in what it is "
                     "linked to");
        } else if (other) {
            complain(name, fmt::format("compiled by {}: no notes", *other));
        } else {
            complain(name, "no notes: compiled without the plugin");
        }
        return;
    }
    if (!file.is_linked) return;
    if (other) complain(name, fmt::format("parts of it were compiled by {}: no notes", *other));
    std::unordered_set<std::string> noted;
    for (std::size_t at = units_before; at < units_.size(); ++at)
        noted.insert(base_name(units_[at].strings[units_[at].source]));
    for (const std::string& source : file.sources) {
        if (is_of_the_toolchain(source) || !noted.insert(base_name(source)).second) continue;
        without_notes_.push_back(fmt::format("{} in {}", source, name));
    }
}

void NoteFiles::add_notes(const std::string& name, std::string_view section) {
    Decoded decoded = decode(section);
    if (!decoded.error.empty()) fail(name, "a damaged note: " + decoded.error);
    for (Unit& unit : decoded.units)
        if (seen_.insert(encode(unit)).second) units_.push_back(std::move(unit));
}

}  // namespace mqinspect::thread_level::link
