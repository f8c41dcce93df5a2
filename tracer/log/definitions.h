/// NAME.mqdef of model/record_format.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/record_format.h"

#include "tracer/log/growing_file.h"
#include "tracer/log/memory.h"

namespace mqinspect::tracer {

class DefinitionsFile {
public:
    /// errno, or 0. Not thread-safe; all else is, through Definition.
    int create(const char* path, const model::FileHeader& header);
    void close();
    int error() const { return error_; }

private:
    friend class Definition;
    void append(model::DefinitionKind kind);

    GrowingFile file_;
    SpinLock lock_;
    ByteBuffer payload_;
    std::uint8_t* base_ = nullptr;  ///< of the range of addresses that the file is mapped into
    std::size_t reserved_ = 0;
    std::size_t mapped_ = 0;
    int error_ = 0;
};

/// One definition: its fields in order, then it goes out of scope and is in the file. No other
/// may be open in the same thread meanwhile.
class Definition {
public:
    Definition(DefinitionsFile& file, model::DefinitionKind kind);
    ~Definition();
    Definition(const Definition&) = delete;
    Definition& operator=(const Definition&) = delete;

    Definition& number(std::int64_t value);
    /// For times, addresses and hash values: all 64 bits.
    Definition& bits(std::uint64_t value) { return number(static_cast<std::int64_t>(value)); }
    Definition& text(std::string_view text);
    /// How many elements of a list follow.
    Definition& length(std::size_t length);
    template <class T>
    Definition& list(const T* elements, std::size_t count) {
        length(count);
        for (std::size_t i = 0; i < count; ++i)
            number(static_cast<std::int64_t>(elements[i]));
        return *this;
    }

private:
    DefinitionsFile& file_;
    Locked locked_;
    model::DefinitionKind kind_;
};

}  // namespace mqinspect::tracer
