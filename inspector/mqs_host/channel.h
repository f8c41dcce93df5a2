/// The helper's end of the connection: batches results, asks for what only its parent
/// knows. Used in the helper process only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "inspector/mqs_host/wire.h"

namespace mqinspect::mqs_host {

/// Does not own the descriptor. A connection that fails ends the process: without
/// its parent the helper has nothing to do.
class Channel {
public:
    explicit Channel(int fd) : fd_(fd) {}

    wire::Writer& writer() { return writer_; }
    void flush();
    /// To be called between records, so that writes are few and memory bounded.
    void flush_if_large();

    /// Null: no such type.
    std::unique_ptr<target::TypeLayout> ask_type(std::size_t process, std::string_view name);
    std::optional<target::Address> ask_symbol(std::size_t process, std::string_view name);
    /// False: cannot be read. At most wire::kMaxMemoryBytes.
    bool ask_memory(std::size_t process, target::Address address, std::span<std::byte> destination);

private:
    void begin_question(wire::Kind kind, std::size_t process);
    /// Ends the question, sends all that is batched and waits for the answer.
    std::vector<std::byte> answer();
    void read_all(std::span<std::byte> destination) const;

    int fd_;
    wire::Writer writer_;
};

}  // namespace mqinspect::mqs_host
