/// Type signatures: do the datatypes of a sender and a receiver match?
///
/// The signature of `count` elements of a datatype is the sequence of its basic datatypes (MPI
/// 4.0, 4.1). Which basic datatypes match (3.3.1): those of the same name. Two names of the
/// standard for one datatype are one (MPI_LONG_LONG and MPI_LONG_LONG_INT, MPI_C_COMPLEX and
/// MPI_C_FLOAT_COMPLEX: 3.2.2, Table 3.2), and so are those that are one type of the language on
/// this machine: MPI_INT and MPI_INT32_T, MPI_DOUBLE_PRECISION and MPI_REAL8. Others that only
/// happen to be alike, such as MPI_INT and MPI_INTEGER, MPI_LONG and MPI_LONG_LONG, do not match,
/// and MPI_BYTE matches MPI_BYTE alone.
/// MPI_PACKED matches everything: there the bytes count. The pairs of MPI_MINLOC are two basic
/// datatypes each. Those of MPI_Type_create_f90_real and its kin match where precision and range
/// are the same (19.1.9).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/datatypes/contents.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// A sequence of basic datatypes, as a hash that can be put together from those of its parts.
struct Signature {
    bool known = true;          ///< false: a definition that is missing or makes no sense
    bool packed = false;        ///< MPI_PACKED is in it
    std::uint64_t hash = 0;     ///< below 2^61 - 1
    std::uint64_t power = 1;    ///< what a hash before it is to be multiplied by
    std::int64_t elements = 0;  ///< basic datatypes
    std::int64_t bytes = 0;     ///< sum of their sizes

    /// Of known ones without MPI_PACKED: the same sequence (but for a chance of 2^-55 or so).
    friend bool operator==(const Signature& left, const Signature& right) {
        return left.known == right.known && left.elements == right.elements &&
               left.hash == right.hash;
    }
};

/// What is sent, compared with what can be received.
enum class Fit {
    Equal,
    Shorter,    ///< the sender's sequence is the beginning of the receiver's
    Longer,     ///< the receiver's is the beginning of the sender's: truncation
    Different,  ///< some element of both differs
    Unknown,
};

/// The signatures of all datatypes of a run. Costs one look at each definition; afterwards a
/// comparison takes a time that grows with the logarithm of the counts. May be used by several
/// threads. The execution must outlive it.
class TypeSignatures {
public:
    explicit TypeSignatures(const model::Execution& execution);

    /// Of `count` elements. Unknown: a negative count, a null or invalid datatype, or a sequence
    /// of more than 2^63 - 1 elements or bytes.
    Signature of(model::DatatypeId type, std::int64_t count) const;

    Fit fit(model::DatatypeId send_type,
            std::int64_t send_count,
            model::DatatypeId receive_type,
            std::int64_t receive_count) const;

    /// What does not fit, as part of a sentence: "element 3: MPI_INT sent, MPI_FLOAT received",
    /// "12 elements sent, 10 received" or, where all elements differ from the first on, "MPI_INT
    /// sent, MPI_FLOAT received". Elements count from 0. Empty for Equal and Unknown.
    std::string difference(model::DatatypeId send_type,
                           std::int64_t send_count,
                           model::DatatypeId receive_type,
                           std::int64_t receive_count) const;

    /// "4 MPI_INT", "1 of a derived datatype (vector)".
    std::string describe(model::DatatypeId type, std::int64_t count) const;

private:
    struct Type {
        enum class Kind : std::uint8_t { Unknown, Basic, Uniform, Structure } kind = Kind::Unknown;
        Signature signature;      ///< of one element
        model::DatatypeId child;  ///< Uniform: what it consists of
        std::int64_t copies = 0;  ///< Uniform
    };

    void define(model::DatatypeId id, const TypeContents* contents);
    void define_basic(const model::RecordedDatatype& type, Type& result) const;
    const Type* find(model::DatatypeId id) const;
    Signature prefix(model::DatatypeId type, std::int64_t count, std::int64_t elements) const;
    /// The basic datatype at a place of the sequence.
    std::string element_name(model::DatatypeId type, std::int64_t index) const;

    const model::Execution& execution_;
    std::vector<Type> types_;
};

}  // namespace mqinspect::analysis
