/// Writes the files of recorded processes, for tests of the reader. Made from the text of
/// model/record_format.h alone, so that it is a second opinion on what it says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "model/record_format.h"

namespace mqinspect::testing {

using Numbers = std::vector<std::int64_t>;
/// A number or a list, as a parameter's kind demands.
using WrittenValue = std::variant<std::int64_t, Numbers>;
using WrittenValues = std::vector<WrittenValue>;

/// The fields of a definition or an event, one after another.
class Fields {
public:
    Fields& number(std::int64_t value);
    Fields& text(std::string_view text);
    Fields& length(std::size_t length);
    Fields& numbers(const Numbers& list);
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

struct WrittenParameter {
    std::string name;
    model::ParameterKind kind;
    model::Direction direction = model::Direction::In;
};

/// One process. Nothing is on the disk before save().
class RecordWriter {
public:
    RecordWriter(std::string name, std::uint64_t start_ns, std::uint32_t tick_shift = 0);

    void define(model::DefinitionKind kind, const Fields& fields);
    /// Process, a clock of one tick to a nanosecond, World, the stacks 0 (empty) to 3 and
    /// MPI_COMM_WORLD (0), MPI_INT (0).
    void define_usual(std::int64_t rank, std::int64_t size, std::uint64_t world_key);
    /// Its id, from 0.
    std::int64_t define_procedure(std::string_view name,
                                  const std::vector<WrittenParameter>& parameters);

    void enter(std::uint32_t thread,
               std::int64_t procedure,
               std::uint64_t stack,
               std::uint64_t ticks,
               const WrittenValues& values);
    void leave(std::uint32_t thread, std::uint64_t ticks, const WrittenValues& values);
    void event(std::uint32_t thread,
               model::EventKind kind,
               std::uint64_t ticks,
               const Fields& payload);
    /// The records that follow of this thread stand in a new block.
    void end_block(std::uint32_t thread);

    /// The whole files, with all that they need in their headers.
    std::vector<std::uint8_t> definitions() const;
    std::vector<std::uint8_t> log() const;
    void save(const std::filesystem::path& folder) const;

private:
    struct OpenCall {
        std::int64_t procedure = 0;
        std::uint64_t stack = 0;
        std::uint64_t event = 0;
    };
    using Site = std::tuple<model::RecordKind, std::int64_t, std::uint64_t>;
    struct Block {
        std::uint32_t thread = 0;
        std::uint64_t sequence = 0;
        std::uint64_t ticks = 0;
        std::uint64_t first_event = 0;
        std::uint32_t open_calls = 0;
        std::vector<std::uint8_t> records;
    };
    struct Thread {
        std::size_t block = SIZE_MAX;  ///< in blocks_; SIZE_MAX: none is begun
        std::uint64_t sequence = 0;
        std::uint64_t ticks = 0;
        std::uint64_t event = 0;
        std::map<Site, WrittenValues> before;
        std::vector<OpenCall> open;
    };

    void append(std::uint32_t thread, std::uint64_t ticks, std::vector<std::uint8_t> record);
    void begin_block(std::uint32_t thread, std::uint64_t ticks);
    std::vector<std::uint8_t> head(const Thread& thread,
                                   model::RecordKind kind,
                                   std::uint64_t number,
                                   std::uint64_t ticks) const;
    static void put_values(std::vector<std::uint8_t>& out,
                           Thread& thread,
                           const Site& site,
                           const WrittenValues& values);
    void make_room(std::uint32_t thread, std::uint64_t ticks, std::size_t bytes);
    std::vector<std::uint8_t> header(std::uint64_t magic) const;

    std::string name_;
    std::uint64_t start_ns_;
    std::uint32_t tick_shift_;
    std::int64_t procedures_ = 0;
    std::vector<std::uint8_t> definitions_;
    std::vector<Block> blocks_;
    std::map<std::uint32_t, Thread> threads_;
};

}  // namespace mqinspect::testing
