#include "thread_level/gcc_plugin/note_section.h"

#include <string>
#include <utility>

#include "thread_level/gcc_plugin/gcc.h"
#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::size_t kBytesPerLine = 120;

void append_escaped(std::string& code, unsigned char byte) {
    if (byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\') {
        code += static_cast<char>(byte);
        return;
    }
    // All three digits, as the next byte may be a digit.
    code += '\\';
    for (int shift = 6; shift >= 0; shift -= 3)
        code += static_cast<char>('0' + ((byte >> shift) & 7));
}

}  // namespace

void write_note_section(Unit unit) {
    const std::string record = encode(std::move(unit));
    if (record.empty()) return;
    std::string code = "\t.pushsection\t" + std::string(kNoteSection) + ",\"\",@progbits\n";
    code.reserve(record.size() * 2);
    for (std::size_t at = 0; at < record.size(); at += kBytesPerLine) {
        code += "\t.ascii\t\"";
        for (const char c : record.substr(at, kBytesPerLine))
            append_escaped(code, static_cast<unsigned char>(c));
        code += "\"\n";
    }
    code += "\t.popsection\n";
    symtab->finalize_toplevel_asm(build_string(static_cast<unsigned>(code.size()), code.c_str()));
}

}  // namespace mqinspect::thread_level::plugin
