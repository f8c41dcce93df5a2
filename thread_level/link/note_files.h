/// Notes of the files that make up a program.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::link {

/// Executables, shared libraries, object files and archives, read one after another. What is wrong
/// with one of them costs only itself.
class NoteFiles {
public:
    void read(const std::string& path);

    const std::vector<Unit>& units() const { return units_; }
    /// One line each: what could not be read, or has no notes, and why.
    const std::vector<std::string>& problems() const { return problems_; }
    /// Something could not be read at all, or only in part.
    bool has_trouble() const { return has_trouble_; }
    /// Objects with code and without notes: "libsolver.a(mesh.o)", or "mesh.c in solver", where
    /// only the executable is left.
    const std::vector<std::string>& without_notes() const { return without_notes_; }

private:
    void read_bytes(const std::string& name, std::string_view bytes);
    void read_archive(const std::string& name, std::string_view bytes);
    void read_elf(const std::string& name, std::string_view bytes);
    void add_notes(const std::string& name, std::string_view section);
    void complain(const std::string& name, std::string_view what);
    void fail(const std::string& name, std::string_view what) {
        has_trouble_ = true;
        complain(name, what);
    }

    std::vector<Unit> units_;
    std::vector<std::string> problems_;
    std::vector<std::string> without_notes_;
    bool has_trouble_ = false;
    std::unordered_set<std::string> seen_;  // notes: a file may be named twice, an object inside
};

}  // namespace mqinspect::thread_level::link
