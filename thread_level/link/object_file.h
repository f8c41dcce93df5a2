/// What the link step asks of an ELF file. The only user of libelf here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mqinspect::thread_level::link {

struct ObjectFile {
    std::string error;  ///< it is no ELF file, or a damaged one
    std::vector<std::string> notes;
    bool is_linked = false;  ///< an executable or shared library
    bool has_code = false;
    bool is_slim_lto = false;  ///< only GCC's intermediate code; the linker makes the rest
    std::vector<std::string> compilers;  ///< as of the section .comment
    std::vector<std::string> sources;    ///< file names of the symbol table
};

/// `bytes` need not be aligned.
ObjectFile read_object(std::string_view bytes);

struct ArchiveMember {
    std::string name;
    std::string_view bytes;
};
struct Archive {
    std::string error;
    std::vector<ArchiveMember> members;  ///< those in front of an error
};
bool is_archive(std::string_view bytes);
Archive read_archive_members(std::string_view bytes);

}  // namespace mqinspect::thread_level::link
