/// The helper's end of the connection: batches results, asks for types. Used in
/// the helper process only.
#pragma once

#include <memory>
#include <string>

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

    /// Sends all that is batched, then waits for the answer. Null: no such type.
    std::unique_ptr<target::TypeLayout> ask_type(std::size_t process, const std::string& name);

private:
    void read_all(std::span<std::byte> destination) const;

    int fd_;
    wire::Writer writer_;
};

}  // namespace mqinspect::mqs_host
