/// Where CPython keeps what its threads execute: which source lines a program in Python is at.
///
/// Read from outside while the process stands still, or by a thread of its own frames, which no
/// other thread changes; the interpreter's lock is not needed. Nothing is allocated, nothing of the
/// interpreter is called. Layouts are those of CPython's headers (pycore_frame.h, code.h,
/// unicodeobject.h) for the release that `Py_Version` names; others are unknown.
///
/// Memory is anything with
///     bool read(std::uint64_t address, void* out, std::size_t bytes) const;
/// false: there is nothing to be read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mqinspect::cpython {

/// Offsets in bytes.
struct Layout {
    std::uint32_t runtime_interpreters;  ///< in _PyRuntime, the first one
    std::uint32_t interpreter_next;
    std::uint32_t interpreter_threads;  ///< the first one
    std::uint32_t thread_next;
    std::uint32_t thread_pthread;  ///< its pthread_t: what fs.base is on x86-64
    std::uint32_t thread_cframe;
    std::uint32_t cframe_frame;  ///< the innermost one
    std::uint32_t frame_code;
    std::uint32_t frame_previous;
    std::uint32_t frame_instruction;  ///< that is executed
    std::uint32_t frame_is_entry;     ///< the interpreter's C function was called for it
    std::uint32_t object_type;
    std::uint32_t code_file;
    std::uint32_t code_name;  ///< qualified
    std::uint32_t code_lines;
    std::uint32_t code_first_line;
    std::uint32_t code_first_traceable;  ///< instructions in front prepare the frame
    std::uint32_t code_instructions;
    std::uint32_t bytes_size;
    std::uint32_t bytes_content;
    std::uint32_t text_length;  ///< in letters
    std::uint32_t text_state;
    std::uint32_t text_ascii;  ///< the letters, if all are ASCII
    std::uint32_t text_other;  ///< else
};

inline constexpr Layout kLayout311 = {
    .runtime_interpreters = 40,
    .interpreter_next = 0,
    .interpreter_threads = 16,
    .thread_next = 8,
    .thread_pthread = 152,
    .thread_cframe = 56,
    .cframe_frame = 8,
    .frame_code = 32,
    .frame_previous = 48,
    .frame_instruction = 56,
    .frame_is_entry = 68,
    .object_type = 8,
    .code_file = 112,
    .code_name = 128,
    .code_lines = 136,
    .code_first_line = 72,
    .code_first_traceable = 168,
    .code_instructions = 184,
    .bytes_size = 16,
    .bytes_content = 32,
    .text_length = 16,
    .text_state = 32,
    .text_ascii = 48,
    .text_other = 72,
};

/// `version`: the value of Py_Version. Null: not known.
constexpr const Layout* layout_of(std::uint64_t version) {
    constexpr unsigned release = 16;
    return version >> release == 0x030b ? &kLayout311 : nullptr;
}

struct Frame {
    std::uint64_t code = 0;         ///< the function: a code object
    std::uint64_t instruction = 0;  ///< in it
    std::uint64_t previous = 0;     ///< the caller's frame
    bool is_entry = false;          ///< C code has called it: the caller is further out
};

template <class Memory>
class Reader {
public:
    Reader(const Memory& memory, const Layout& layout) : memory_(memory), layout_(layout) {}

    /// The innermost frame of a PyThreadState; 0: it executes nothing, or it cannot be read.
    std::uint64_t innermost(std::uint64_t thread) const {
        const std::uint64_t cframe = word(thread + layout_.thread_cframe);
        return cframe == 0 ? 0 : word(cframe + layout_.cframe_frame);
    }
    bool frame(std::uint64_t address, Frame& frame) const {
        std::uint8_t entry = 0;
        frame.code = word(address + layout_.frame_code);
        frame.previous = word(address + layout_.frame_previous);
        frame.instruction = word(address + layout_.frame_instruction);
        if (!memory_.read(address + layout_.frame_is_entry, &entry, sizeof entry)) return false;
        frame.is_entry = entry != 0;
        return frame.code != 0;
    }
    /// Its function has begun.
    bool is_complete(const Frame& frame) const {
        const auto first = read<std::int32_t>(frame.code + layout_.code_first_traceable);
        return offset_of(frame) >= kInstructionBytes * std::int64_t{first};
    }
    std::uint64_t type_of(std::uint64_t object) const { return word(object + layout_.object_type); }

    /// From the location table of the function (CPython: Objects/locations.md); 0: it has none.
    int line_of(const Frame& frame) const {
        const std::uint64_t table = word(frame.code + layout_.code_lines);
        const std::int64_t wanted = offset_of(frame);
        if (table == 0 || wanted < 0) return 0;
        Lines lines{*this,
                    table + layout_.bytes_content,
                    table + layout_.bytes_content + word(table + layout_.bytes_size),
                    read<std::int32_t>(frame.code + layout_.code_first_line)};
        while (lines.next())
            if (wanted < lines.covered) return lines.has_line ? lines.line : 0;
        return 0;
    }
    /// UTF-8, cut to `size` bytes; how many there are.
    std::size_t file_of(const Frame& frame, char* out, std::size_t size) const {
        return text(word(frame.code + layout_.code_file), out, size);
    }
    std::size_t name_of(const Frame& frame, char* out, std::size_t size) const {
        return text(word(frame.code + layout_.code_name), out, size);
    }

    /// The PyThreadState of a thread; 0: it is none of Python's. `runtime`: address of _PyRuntime.
    std::uint64_t thread(std::uint64_t runtime, std::uint64_t pthread) const {
        std::uint64_t interpreter = word(runtime + layout_.runtime_interpreters);
        for (int i = 0; interpreter != 0 && i < kMostInterpreters; ++i) {
            std::uint64_t thread = word(interpreter + layout_.interpreter_threads);
            for (int j = 0; thread != 0 && j < kMostThreads; ++j) {
                if (word(thread + layout_.thread_pthread) == pthread) return thread;
                thread = word(thread + layout_.thread_next);
            }
            interpreter = word(interpreter + layout_.interpreter_next);
        }
        return 0;
    }

private:
    static constexpr std::int64_t kInstructionBytes = 2;
    static constexpr int kMostInterpreters = 64;
    static constexpr int kMostThreads = 65536;

    /// Goes through a location table.
    struct Lines {
        const Reader& reader;
        std::uint64_t at;
        std::uint64_t end;
        int line;
        std::int64_t covered = 0;  ///< bytes of instructions up to the end of this entry
        bool has_line = false;

        bool next() {
            constexpr unsigned code_shift = 3;
            if (at >= end) return false;
            const auto head = reader.read<std::uint8_t>(at++);
            const unsigned code = (head >> code_shift) & 0xfU;
            covered += kInstructionBytes * ((head & 0x7U) + 1);
            has_line = code != 15;
            if (code == 13 || code == 14) line += signed_number();
            if (code >= 10 && code <= 12) line += static_cast<int>(code) - 10;
            // Columns follow; the first byte of an entry alone has its highest bit set.
            while (at < end && (reader.read<std::uint8_t>(at) & 0x80U) == 0)
                ++at;
            return true;
        }
        int signed_number() {
            constexpr unsigned bits = 6;
            std::uint32_t number = 0;
            for (unsigned shift = 0; at < end && shift < 32; shift += bits) {
                const auto byte = reader.read<std::uint8_t>(at++);
                number |= std::uint32_t{byte & 0x3fU} << shift;
                if ((byte & 0x40U) == 0) break;
            }
            const auto size = static_cast<int>(number >> 1U);
            return (number & 1U) != 0 ? -size : size;
        }
    };

    template <class Value>
    Value read(std::uint64_t address) const {
        Value value{};
        return memory_.read(address, &value, sizeof value) ? value : Value{};
    }
    std::uint64_t word(std::uint64_t address) const { return read<std::uint64_t>(address); }
    std::int64_t offset_of(const Frame& frame) const {
        return static_cast<std::int64_t>(frame.instruction - frame.code -
                                         layout_.code_instructions);
    }
    std::size_t text(std::uint64_t object, char* out, std::size_t size) const {
        constexpr std::uint32_t compact = 1U << 5U;
        constexpr std::uint32_t ascii = 1U << 6U;
        if (object == 0) return 0;
        const auto state = read<std::uint32_t>(object + layout_.text_state);
        const std::uint64_t length = word(object + layout_.text_length);
        if ((state & compact) == 0) return 0;
        if ((state & ascii) != 0) {
            const std::size_t count = length < size ? length : size;
            return memory_.read(object + layout_.text_ascii, out, count) ? count : 0;
        }
        const std::uint32_t width = (state >> 2U) & 0x7U;
        if (width != 1 && width != 2 && width != 4) return 0;
        std::size_t used = 0;
        for (std::uint64_t i = 0; i < length && used + kMostLetterBytes <= size; ++i) {
            std::uint32_t letter = 0;
            if (!memory_.read(object + layout_.text_other + i * width, &letter, width)) return used;
            used += put_letter(letter, out + used);
        }
        return used;
    }
    static constexpr std::size_t kMostLetterBytes = 4;
    static std::size_t put_letter(std::uint32_t letter, char* out) {
        const auto tail = [letter](unsigned shift) {
            return static_cast<char>(0x80U | ((letter >> shift) & 0x3fU));
        };
        if (letter < 0x80) {
            out[0] = static_cast<char>(letter);
            return 1;
        }
        if (letter < 0x800) {
            out[0] = static_cast<char>(0xc0U | (letter >> 6U));
            out[1] = tail(0);
            return 2;
        }
        if (letter < 0x10000) {
            out[0] = static_cast<char>(0xe0U | (letter >> 12U));
            out[1] = tail(6);
            out[2] = tail(0);
            return 3;
        }
        out[0] = static_cast<char>(0xf0U | (letter >> 18U));
        out[1] = tail(12);
        out[2] = tail(6);
        out[3] = tail(0);
        return 4;
    }

    const Memory& memory_;
    const Layout& layout_;
};

/// A thread's frames, a run at a time: what one call of the interpreter's C function executes, up
/// to a frame that C code has called. Keeps a reference to the reader.
template <class Memory>
class Runs {
public:
    /// `innermost`: as Reader::innermost() gives it; `most`: more are no stack any more.
    Runs(const Reader<Memory>& reader, std::uint64_t innermost, int most)
        : reader_(reader), next_(innermost), left_(most) {}

    bool any() const { return next_ != 0; }
    /// `put` gets the next run's frames, without those that are being prepared.
    template <class Put>
    void take(Put put) {
        Frame frame;
        while (next_ != 0) {
            const bool readable = left_-- > 0 && reader_.frame(next_, frame);
            next_ = readable ? frame.previous : 0;
            if (!readable) return;
            if (reader_.is_complete(frame)) put(frame);
            if (frame.is_entry) return;
        }
    }

private:
    const Reader<Memory>& reader_;
    std::uint64_t next_;
    int left_;
};

}  // namespace mqinspect::cpython
