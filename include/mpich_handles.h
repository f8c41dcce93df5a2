/// What the handles of MPICH's C binding mean: values fixed by the MPICH ABI
/// (mpi.h of MPICH 3 and later, and of the MPIs that are compatible with it).
///
/// Header-only and without allocation, so that the debugger DLL can use it too.
#pragma once

#include <cstdint>

namespace mqinspect::mpich {

inline constexpr std::uint32_t kCommWorld = 0x44000000;
inline constexpr std::uint32_t kCommSelf = 0x44000001;
inline constexpr std::uint32_t kCommNull = 0x04000000;
inline constexpr std::uint32_t kRequestNull = 0x2c000000;
inline constexpr std::uint32_t kDatatypeNull = 0x0c000000;

inline constexpr int kAnySource = -2;
inline constexpr int kProcNull = -1;
inline constexpr int kRoot = -3;
inline constexpr int kAnyTag = -1;
inline constexpr int kUndefined = -32766;
inline constexpr int kLockExclusive = 234;
inline constexpr int kLockShared = 235;

/// The two top bits of a handle: where its object lives.
enum class HandleKind : std::uint8_t { Invalid, Builtin, Direct, Indirect };

constexpr HandleKind handle_kind(std::uint32_t handle) {
    return static_cast<HandleKind>(handle >> 30);
}

struct NamedHandle {
    std::uint32_t handle;
    const char* name;
};

/// Predefined datatypes. The size in bytes of those with HandleKind::Builtin is
/// in bits 8 to 15 of the handle.
inline constexpr NamedHandle kDatatypes[] = {
    {0x4c000010U, "MPI_LB"},
    {0x4c000011U, "MPI_UB"},
    {0x4c000101U, "MPI_CHAR"},
    {0x4c000102U, "MPI_UNSIGNED_CHAR"},
    {0x4c00010dU, "MPI_BYTE"},
    {0x4c00010fU, "MPI_PACKED"},
    {0x4c000118U, "MPI_SIGNED_CHAR"},
    {0x4c00011aU, "MPI_CHARACTER"},
    {0x4c00012dU, "MPI_INTEGER1"},
    {0x4c000133U, "MPI_CXX_BOOL"},
    {0x4c000137U, "MPI_INT8_T"},
    {0x4c00013bU, "MPI_UINT8_T"},
    {0x4c00013fU, "MPI_C_BOOL"},
    {0x4c000203U, "MPI_SHORT"},
    {0x4c000204U, "MPI_UNSIGNED_SHORT"},
    {0x4c00022fU, "MPI_INTEGER2"},
    {0x4c000238U, "MPI_INT16_T"},
    {0x4c00023cU, "MPI_UINT16_T"},
    {0x4c000405U, "MPI_INT"},
    {0x4c000406U, "MPI_UNSIGNED"},
    {0x4c00040aU, "MPI_FLOAT"},
    {0x4c00040eU, "MPI_WCHAR"},
    {0x4c00041bU, "MPI_INTEGER"},
    {0x4c00041cU, "MPI_REAL"},
    {0x4c00041dU, "MPI_LOGICAL"},
    {0x4c000427U, "MPI_REAL4"},
    {0x4c000430U, "MPI_INTEGER4"},
    {0x4c000439U, "MPI_INT32_T"},
    {0x4c00043dU, "MPI_UINT32_T"},
    {0x4c000807U, "MPI_LONG"},
    {0x4c000808U, "MPI_UNSIGNED_LONG"},
    {0x4c000809U, "MPI_LONG_LONG_INT"},
    {0x4c00080bU, "MPI_DOUBLE"},
    {0x4c000816U, "MPI_2INT"},
    {0x4c000819U, "MPI_UNSIGNED_LONG_LONG"},
    {0x4c00081eU, "MPI_COMPLEX"},
    {0x4c00081fU, "MPI_DOUBLE_PRECISION"},
    {0x4c000820U, "MPI_2INTEGER"},
    {0x4c000821U, "MPI_2REAL"},
    {0x4c000828U, "MPI_COMPLEX8"},
    {0x4c000829U, "MPI_REAL8"},
    {0x4c000831U, "MPI_INTEGER8"},
    {0x4c000834U, "MPI_CXX_FLOAT_COMPLEX"},
    {0x4c00083aU, "MPI_INT64_T"},
    {0x4c00083eU, "MPI_UINT64_T"},
    {0x4c000840U, "MPI_C_FLOAT_COMPLEX"},
    {0x4c000843U, "MPI_AINT"},
    {0x4c000844U, "MPI_OFFSET"},
    {0x4c000845U, "MPI_COUNT"},
    {0x4c00100cU, "MPI_LONG_DOUBLE"},
    {0x4c001022U, "MPI_DOUBLE_COMPLEX"},
    {0x4c001023U, "MPI_2DOUBLE_PRECISION"},
    {0x4c00102aU, "MPI_COMPLEX16"},
    {0x4c00102bU, "MPI_REAL16"},
    {0x4c001035U, "MPI_CXX_DOUBLE_COMPLEX"},
    {0x4c001041U, "MPI_C_DOUBLE_COMPLEX"},
    {0x4c00202cU, "MPI_COMPLEX32"},
    {0x4c002036U, "MPI_CXX_LONG_DOUBLE_COMPLEX"},
    {0x4c002042U, "MPI_C_LONG_DOUBLE_COMPLEX"},
    {0x8c000000U, "MPI_FLOAT_INT"},
    {0x8c000001U, "MPI_DOUBLE_INT"},
    {0x8c000002U, "MPI_LONG_INT"},
    {0x8c000003U, "MPI_SHORT_INT"},
    {0x8c000004U, "MPI_LONG_DOUBLE_INT"},
};

/// Predefined reduction operations.
inline constexpr NamedHandle kReductionOps[] = {
    {0x18000000U, "MPI_OP_NULL"},
    {0x58000001U, "MPI_MAX"},
    {0x58000002U, "MPI_MIN"},
    {0x58000003U, "MPI_SUM"},
    {0x58000004U, "MPI_PROD"},
    {0x58000005U, "MPI_LAND"},
    {0x58000006U, "MPI_BAND"},
    {0x58000007U, "MPI_LOR"},
    {0x58000008U, "MPI_BOR"},
    {0x58000009U, "MPI_LXOR"},
    {0x5800000aU, "MPI_BXOR"},
    {0x5800000bU, "MPI_MINLOC"},
    {0x5800000cU, "MPI_MAXLOC"},
    {0x5800000dU, "MPI_REPLACE"},
    {0x5800000eU, "MPI_NO_OP"},
};

/// The name of a handle in one of the tables, or a null pointer.
template <unsigned long size>
constexpr const char* find_name(const NamedHandle (&table)[size], std::uint32_t handle) {
    for (const NamedHandle& row : table) {
        if (row.handle == handle) return row.name;
    }
    return nullptr;
}

}  // namespace mqinspect::mpich
