/// The records between the helper process that runs a DLL and this program.
///
/// A record is a Header and `length` bytes. Both ends are one program on one
/// machine, so numbers travel as they lie in memory; but the DLL may have damaged
/// the sender, so the receiver checks every length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::mqs_host::wire {

enum class Kind : std::uint32_t {
    Loaded = 1,      ///< version text; the DLL is usable
    Refused,         ///< error; it is not
    Naming,          ///< index of the process that the DLL is told the number of
    RankBegin,       ///< index of the process
    Communicator,    ///< without its operations
    Operation,       ///< of the communicator before it
    UnknownQueue,    ///< of the communicator before it
    Window,          ///< with its peers
    Problem,         ///< text about the rank
    Foreign,         ///< pid and host of a process that the rank is connected with
    RankDone,        ///< progress count, incoming count
    RankFailed,      ///< error
    TypeQuestion,    ///< index of a process, name of a type
    SymbolQuestion,  ///< index of a process, name of a symbol
    MemoryQuestion,  ///< index of a process, address, number of bytes
    Finished,
    // From parent to helper, to the questions above:
    TypeAnswer,
    SymbolAnswer,  ///< whether it is there, its address
    MemoryAnswer,  ///< whether it could be read, the bytes
};

struct Header {
    std::uint32_t length = 0;
    Kind kind = Kind::Finished;
};

/// More than any honest record: two groups of 16 million ranks.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{160} << 20;

/// Of one question about memory.
inline constexpr std::size_t kMaxMemoryBytes = std::size_t{1} << 20;

/// Appends records to a buffer.
class Writer {
public:
    void begin(Kind kind);
    void end();

    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T& value) { put_bytes(std::as_bytes(std::span{&value, 1})); }
    void put_bytes(std::span<const std::byte> bytes);
    void put_text(std::string_view text);
    void put_ranks(const std::vector<int>& ranks);

    std::vector<std::byte>& buffer() { return buffer_; }

private:
    std::vector<std::byte> buffer_;
    std::size_t record_ = 0;
};

/// Takes one record apart. After a value that was not there, everything further
/// is empty or zero and `ok` is false.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class T>
    requires std::is_trivially_copyable_v<T> T take() {
        T value{};
        const auto bytes = take_bytes(sizeof(T));
        if (ok_) std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }
    std::span<const std::byte> take_bytes(std::size_t count);
    /// Borrows from the record.
    std::string_view take_text();
    std::vector<int> take_ranks();

    bool ok() const { return ok_; }
    /// Bytes that nobody has taken.
    std::size_t left() const { return ok_ ? rest_.size() : 0; }

private:
    std::span<const std::byte> rest_;
    bool ok_ = true;
};

void put_error(Writer& writer, Kind kind, const Error& error);
Error take_error(Reader& reader);

void put_communicator(Writer& writer, const HostedCommunicator& communicator);
HostedCommunicator take_communicator(Reader& reader);

/// Only the used part of the texts travels.
void put_operation(Writer& writer, const HostedOperation& operation);
/// Fills a value-initialised operation.
void take_operation(Reader& reader, HostedOperation& operation);

void put_window(Writer& writer, const HostedWindow& window);
HostedWindow take_window(Reader& reader);

/// Null: there is no such type.
void put_type(Writer& writer, const target::TypeLayout* type);
/// Null: there was no such type.
std::unique_ptr<target::TypeLayout> take_type(Reader& reader);

}  // namespace mqinspect::mqs_host::wire
