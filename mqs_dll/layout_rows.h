/// The machinery of the layout tables: one row per field, one loop that resolves them.
#pragma once

#include <cstddef>
#include <span>

#include "include/mpi_interface.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {

enum class Need { Required, Optional };

inline constexpr Need kRequired = Need::Required;
inline constexpr Need kOptional = Need::Optional;
/// Width of a pointer, an MPI_Aint or an intptr_t of the target.
inline constexpr int kPointer = 0;

/// `Fields`: the struct of offsets that the row fills one of.
template <class Fields>
struct FieldRow {
    const char* field;
    int Fields::*offset;
    int width;
    Need need;
};

template <class Fields>
struct TypeRow {
    const char* name;
    const char* alias;   // tried next; null if there is none
    int Fields::*bytes;  // null if nobody asks for the size
    const FieldRow<Fields>* fields;
    std::size_t field_count;
};

template <class Fields, std::size_t N>
constexpr TypeRow<Fields> row(const char* name,
                              const char* alias,
                              const FieldRow<Fields> (&fields)[N],
                              int Fields::*bytes = nullptr) {
    return {name, alias, bytes, fields, N};
}

/// The debugger's types. The interface takes char*, so names go through a buffer.
/// Precondition: the callbacks for types and fields are there.
class TypeSource {
public:
    TypeSource(mqs_image* image, const mqs_image_callbacks& callbacks)
        : image_(image), callbacks_(callbacks) {}

    mqs_type* find(const char* name);
    int offset(mqs_type* type, const char* field);
    /// -1 if the debugger cannot tell.
    int bytes(mqs_type* type) const;
    bool has_field(const char* type, const char* field);

private:
    char* writable(const char* name);

    mqs_image* image_;
    const mqs_image_callbacks& callbacks_;
    char name_[64] = {};
};

/// Adds "type" or "type.field" to a list of what is missing.
void add_missing(TextWriter& missing, const char* type, const char* field);

/// No struct of MPICH comes near it; keeps sums of offsets far from overflow.
inline constexpr int kLargestOffset = 1 << 20;

/// True if none of the fields that are needed is there: the type itself is missing.
template <class Fields>
bool has_nothing_required(TypeSource& source, mqs_type* handle, const TypeRow<Fields>& type) {
    bool required = false;
    for (std::size_t i = 0; i < type.field_count; ++i) {
        if (type.fields[i].need != Need::Required) continue;
        if (handle != nullptr && source.offset(handle, type.fields[i].field) >= 0) return false;
        required = true;
    }
    return required;
}

template <class Fields>
void resolve_type(TypeSource& source,
                  const TypeRow<Fields>& type,
                  int pointer_size,
                  Fields& fields,
                  TextWriter& missing) {
    mqs_type* handle = source.find(type.name);
    // Some debuggers answer a type they do not know with one that has no fields.
    if (type.alias != nullptr &&
        (handle == nullptr || source.offset(handle, type.fields[0].field) < 0)) {
        handle = source.find(type.alias);
    }
    const int bytes = handle == nullptr ? -1 : source.bytes(handle);
    if (type.bytes != nullptr) fields.*type.bytes = bytes;
    const bool absent = has_nothing_required(source, handle, type);
    if (absent) add_missing(missing, type.name, nullptr);
    for (std::size_t i = 0; i < type.field_count; ++i) {
        const FieldRow<Fields>& field = type.fields[i];
        const int width = field.width == kPointer ? pointer_size : field.width;
        const int offset = handle == nullptr ? -1 : source.offset(handle, field.field);
        const bool fits =
            offset >= 0 && offset <= kLargestOffset && (bytes < 0 || offset <= bytes - width);
        fields.*field.offset = fits ? offset : -1;
        if (!fits && !absent && field.need == Need::Required) {
            add_missing(missing, type.name, field.field);
        }
    }
}

/// Resolves every row. What is required and not there is added to `missing`.
template <class Fields>
void resolve_types(TypeSource& source,
                   std::span<const TypeRow<Fields>> types,
                   int pointer_size,
                   Fields& fields,
                   TextWriter& missing) {
    for (const TypeRow<Fields>& type : types)
        resolve_type(source, type, pointer_size, fields, missing);
}

}  // namespace mqinspect::dll
