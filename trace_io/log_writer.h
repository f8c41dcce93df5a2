/// Writes the files of one process of a recorded run (model/record_format.h), for runs that come
/// from elsewhere. Records go to the disk block by block.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/record_format.h"

namespace mqinspect::trace_io {

using LoggedList = std::vector<std::int64_t>;
/// A number or a list, as a parameter's kind demands.
using LoggedValue = std::variant<std::int64_t, LoggedList>;
using LoggedValues = std::vector<LoggedValue>;

/// The fields of a definition or of an event, one after another.
class LogFields {
public:
    LogFields& number(std::int64_t value);
    LogFields& text(std::string_view text);
    LogFields& length(std::size_t length);
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

/// Ticks are nanoseconds. Of each thread they may not go back.
class LogWriter {
public:
    /// `path` without the suffixes.
    LogWriter(const std::string& path, std::uint64_t pid, std::uint64_t start_ns);

    void define(model::DefinitionKind kind, const LogFields& fields);
    void enter(std::uint32_t thread,
               std::int64_t procedure,
               std::int64_t stack,
               std::uint64_t ticks,
               const LoggedValues& values);
    /// Ends the innermost call that is open.
    void leave(std::uint32_t thread, std::uint64_t ticks, const LoggedValues& values);
    void event(std::uint32_t thread,
               model::EventKind kind,
               std::uint64_t ticks,
               const LogFields& payload);
    /// Writes what is left, and the headers.
    Result<Done> finish();

private:
    struct OpenCall {
        std::int64_t procedure = 0;
        std::int64_t stack = 0;
        std::uint64_t event = 0;
    };
    using Site = std::tuple<model::RecordKind, std::int64_t, std::int64_t>;
    struct Thread {
        std::vector<std::uint8_t> records;  ///< of the block that is being filled
        std::vector<OpenCall> open;
        std::map<Site, LoggedValues> before;
        std::uint64_t sequence = 0;
        std::uint64_t event = 0;
        std::uint64_t ticks = 0;
        std::uint64_t block_ticks = 0;
        std::uint64_t block_event = 0;
        std::uint32_t block_open = 0;
        bool begun = false;
    };

    Thread& with_room(std::uint32_t id, std::uint64_t ticks, std::size_t bytes);
    void begin_block(Thread& thread, std::uint64_t ticks);
    void end_block(std::uint32_t id, Thread& thread);
    static void put_head(Thread& thread,
                         model::RecordKind kind,
                         std::uint64_t number,
                         std::uint64_t ticks);
    static void put_values(Thread& thread, const Site& site, const LoggedValues& values);
    std::vector<std::uint8_t> header(std::uint64_t magic) const;

    std::string path_;
    std::uint64_t pid_;
    std::uint64_t start_ns_;
    std::ofstream definitions_;
    std::ofstream log_;
    std::uint64_t committed_ = 0;
    std::uint64_t blocks_ = 0;
    std::map<std::uint32_t, Thread> threads_;
};

}  // namespace mqinspect::trace_io
