/// From the arguments of MPI procedures to the values of records. Used by the generated wrappers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <mpi.h>

#include "model/record_format.h"

#include "tracer/call.h"
#include "tracer/checksum.h"
#include "tracer/handles/communicators.h"
#include "tracer/handles/datatypes.h"
#include "tracer/handles/handle_map.h"
#include "tracer/handles/objects.h"
#include "tracer/handles/requests.h"

namespace mqinspect::tracer::values {

template <class T>
std::int64_t number(T value) {
    return static_cast<std::int64_t>(value);
}
/// So many elements; -1: not known.
template <class T>
std::int64_t bytes(T count, MPI_Datatype datatype) {
    const DatatypeInfo* const info = datatype_info(datatype);
    std::int64_t product = -1;
    if (info == nullptr || count < 0 ||
        __builtin_mul_overflow(static_cast<std::int64_t>(count), info->size, &product))
        return -1;
    return product;
}
inline std::int64_t most(std::initializer_list<std::int64_t> sizes) {
    return std::max(sizes);
}
template <class T>
std::int64_t address(T pointer) {
    if constexpr (std::is_pointer_v<T>) {
        return static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(pointer));
    } else {
        return static_cast<std::int64_t>(pointer);
    }
}
/// For a text that tells calls apart.
inline std::int64_t tag_of(const char* text) {
    return text == nullptr ? 0 : static_cast<std::int64_t>(hash_text(0, text) >> 1U);
}
/// Handles without definitions.
template <class T>
std::int64_t other(T handle) {
    return static_cast<std::int64_t>(handle_bits(handle));
}
template <class T>
std::int64_t other_given(bool valid, const T* place) {
    return valid && place != nullptr ? other(*place) : 0;
}
/// What a call gives back; 0 if it has failed.
template <class T>
std::int64_t pointed(bool valid, const T* place) {
    return valid && place != nullptr ? static_cast<std::int64_t>(*place) : 0;
}

/// The pointer that a call gives back by a place of any type of pointer.
inline const void* pointer_given(bool valid, const void* place) {
    const void* given = nullptr;
    if (valid && place != nullptr) std::memcpy(&given, place, sizeof given);
    return given;
}

inline std::int64_t text(const char* text) {
    constexpr std::size_t longest = 4096;
    return text == nullptr ? -1 : recorder.text_id({text, strnlen(text, longest)});
}
inline std::int64_t text(bool valid, const char* given) {
    return valid ? text(given) : -1;
}

inline std::int64_t of_list(const List* list) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(list));
}

/// Longer ones are an error of the program, or of no use.
constexpr std::int64_t kLongestList = 1 << 20;

/// A list of what `value(i)` says for each subscript.
template <class Function>
std::int64_t list(Call& call, std::int64_t length, Function value) {
    length = std::clamp<std::int64_t>(length, 0, kLongestList);
    List* list = call.list(static_cast<std::size_t>(length));
    if (list->elements == nullptr) return of_list(list);
    for (std::int64_t i = 0; i < length; ++i)
        list->elements[i] = value(i);
    list->length = static_cast<std::size_t>(length);
    return of_list(list);
}

template <class T>
std::int64_t numbers(Call& call, const T* from, std::int64_t length) {
    if (from == nullptr) length = 0;
    return list(
        call, length, [from](std::int64_t i) { return static_cast<std::int64_t>(from[i]); });
}
inline std::int64_t datatypes(Call& call, const MPI_Datatype* from, std::int64_t length) {
    if (from == nullptr) length = 0;
    return list(call, length, [from](std::int64_t i) { return datatype_id(from[i]); });
}
inline std::int64_t requests(Call& call, const MPI_Request* from, std::int64_t length) {
    if (from == nullptr) length = 0;
    return list(call, length, [from](std::int64_t i) { return request_id(from[i], &from[i]); });
}

/// A list of weights may be MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY.
std::int64_t weights(Call& call, const int* from, std::int64_t length);

std::int64_t group(MPI_Group group);
std::int64_t group_given(bool valid, const MPI_Group* group);

/// What a handle that a call gives back is known by.
template <class T>
std::int64_t given(bool valid, const T* place, std::int64_t (*id)(T)) {
    return valid && place != nullptr ? id(*place) : model::kNullHandle;
}
inline std::int64_t request_given(bool valid, const MPI_Request* place) {
    return valid && place != nullptr ? request_id(*place, place) : model::kNullHandle;
}

std::int64_t status(Call& call, bool valid, const MPI_Status* status);
/// Bytes received, and whether the operation was cancelled.
#if defined(MPICH)
inline bool cancelled(const MPI_Status& status) {
    return (status.count_hi_and_cancelled & 1) != 0;
}
// As MPI_Get_count has it, without the call.
inline std::int64_t bytes_of(const MPI_Status& status) {
    constexpr unsigned bits_of_low_part = 32;
    return (static_cast<std::int64_t>(status.count_hi_and_cancelled >> 1) << bits_of_low_part) |
           static_cast<std::int64_t>(static_cast<std::uint32_t>(status.count_lo));
}
/// All that a status says but for MPI_ERROR.
inline std::array<std::uint32_t, 4> words_of(const MPI_Status& status) {
    return {static_cast<std::uint32_t>(status.count_lo),
            static_cast<std::uint32_t>(status.count_hi_and_cancelled),
            static_cast<std::uint32_t>(status.MPI_SOURCE),
            static_cast<std::uint32_t>(status.MPI_TAG)};
}
#elif defined(OPEN_MPI)
inline bool cancelled(const MPI_Status& status) {
    return status._cancelled != 0;
}
inline std::int64_t bytes_of(const MPI_Status& status) {
    return static_cast<std::int64_t>(status._ucount);
}
inline std::array<std::uint32_t, 5> words_of(const MPI_Status& status) {
    constexpr unsigned bits_of_low_part = 32;
    return {static_cast<std::uint32_t>(status._ucount),
            static_cast<std::uint32_t>(status._ucount >> bits_of_low_part),
            static_cast<std::uint32_t>(status._cancelled),
            static_cast<std::uint32_t>(status.MPI_SOURCE),
            static_cast<std::uint32_t>(status.MPI_TAG)};
}
#else
#error "statuses of this MPI library are not known"
#endif
/// The five numbers of a status. `error`: whether MPI_ERROR says anything.
inline void put_status(const MPI_Status& status, bool error, std::int64_t* out) {
    *out++ = status.MPI_SOURCE;
    *out++ = status.MPI_TAG;
    *out++ = error ? status.MPI_ERROR : MPI_SUCCESS;
    *out++ = bytes_of(status);
    *out = cancelled(status) ? 1 : 0;
}
/// The message of a receive that is complete.
inline void received(CommunicatorInfo* communicator, bool valid, const MPI_Status& status) {
    if (communicator == nullptr) return;
    if (!valid) {
        stop_counting(communicator);
    } else if (!cancelled(status)) {
        count_received(*communicator, status.MPI_SOURCE, status.MPI_TAG);
    }
}

/// Lengths of lists, as procedures.txt names them.
std::int64_t peers(MPI_Comm communicator);
std::int64_t group_size(MPI_Comm communicator);
std::int64_t at_root(MPI_Comm communicator, int root);
std::int64_t sources(MPI_Comm communicator);
std::int64_t destinations(MPI_Comm communicator);
std::int64_t dimensions(MPI_Comm communicator);
std::int64_t last(const int* numbers, std::int64_t length);
template <class Count>
std::int64_t sum(const Count* numbers, std::int64_t length) {
    std::int64_t result = 0;
    for (std::int64_t i = 0; numbers != nullptr && i < length; ++i)
        result += numbers[i];
    return result;
}
std::int64_t rank_in(MPI_Comm communicator);  ///< of the caller; -1: not known
/// What a list with a number for each member of a group has for the caller.
template <class Count>
std::int64_t own_part(const Count* numbers, MPI_Comm communicator) {
    const std::int64_t rank = rank_in(communicator);
    return numbers == nullptr || rank < 0 ? 0 : numbers[rank];
}

/// The ids of what has been looked up.
inline std::int64_t communicator_known(MPI_Comm communicator, const CommunicatorInfo* info) {
    return info != nullptr ? info->id : communicator_id(communicator);
}
inline std::int64_t datatype_known(MPI_Datatype datatype, const DatatypeInfo* info) {
    return info != nullptr ? info->id : datatype_id(datatype);
}

template <class Count>
std::int64_t send_checksum(const void* buffer,
                           Count count,
                           const DatatypeInfo* type,
                           int destination) {
    if (destination < 0 || recorder.options().checksum_bytes == 0) return 0;
    return checksum(buffer, static_cast<std::int64_t>(count), type);
}
template <class Count>
std::int64_t receive_checksum(
    bool valid, void* buffer, Count count, const DatatypeInfo* type, const MPI_Status& status) {
    if (!valid || recorder.options().checksum_bytes == 0) return 0;
    return checksum(buffer, static_cast<std::int64_t>(count), type, bytes_of(status));
}
/// True at the root, which of an intercommunicator is called MPI_ROOT there.
bool is_root(MPI_Comm communicator, int root);

}  // namespace mqinspect::tracer::values
