// Names of predefined datatypes: the values are part of MPICH's ABI (mpi.h), where
// bits 8 to 15 of a builtin handle are the size.
#include "mqs_dll/datatypes.h"

namespace mqinspect::dll {
namespace {

struct PredefinedDatatype {
    std::uint32_t handle;
    const char* name;
};

constexpr PredefinedDatatype kPredefined[] = {
    {0x4c000010, "MPI_LB"},
    {0x4c000011, "MPI_UB"},
    {0x4c000101, "MPI_CHAR"},
    {0x4c000102, "MPI_UNSIGNED_CHAR"},
    {0x4c00010d, "MPI_BYTE"},
    {0x4c00010f, "MPI_PACKED"},
    {0x4c000118, "MPI_SIGNED_CHAR"},
    {0x4c00011a, "MPI_CHARACTER"},
    {0x4c00012d, "MPI_INTEGER1"},
    {0x4c000133, "MPI_CXX_BOOL"},
    {0x4c000137, "MPI_INT8_T"},
    {0x4c00013b, "MPI_UINT8_T"},
    {0x4c00013f, "MPI_C_BOOL"},
    {0x4c000203, "MPI_SHORT"},
    {0x4c000204, "MPI_UNSIGNED_SHORT"},
    {0x4c00022f, "MPI_INTEGER2"},
    {0x4c000238, "MPI_INT16_T"},
    {0x4c00023c, "MPI_UINT16_T"},
    {0x4c000246, "MPIX_C_FLOAT16"},
    {0x4c000405, "MPI_INT"},
    {0x4c000406, "MPI_UNSIGNED"},
    {0x4c00040a, "MPI_FLOAT"},
    {0x4c00040e, "MPI_WCHAR"},
    {0x4c00041b, "MPI_INTEGER"},
    {0x4c00041c, "MPI_REAL"},
    {0x4c00041d, "MPI_LOGICAL"},
    {0x4c000427, "MPI_REAL4"},
    {0x4c000430, "MPI_INTEGER4"},
    {0x4c000439, "MPI_INT32_T"},
    {0x4c00043d, "MPI_UINT32_T"},
    {0x4c000807, "MPI_LONG"},
    {0x4c000808, "MPI_UNSIGNED_LONG"},
    {0x4c000809, "MPI_LONG_LONG_INT"},
    {0x4c00080b, "MPI_DOUBLE"},
    {0x4c000816, "MPI_2INT"},
    {0x4c000819, "MPI_UNSIGNED_LONG_LONG"},
    {0x4c00081e, "MPI_COMPLEX"},
    {0x4c00081f, "MPI_DOUBLE_PRECISION"},
    {0x4c000820, "MPI_2INTEGER"},
    {0x4c000821, "MPI_2REAL"},
    {0x4c000828, "MPI_COMPLEX8"},
    {0x4c000829, "MPI_REAL8"},
    {0x4c000831, "MPI_INTEGER8"},
    {0x4c000834, "MPI_CXX_FLOAT_COMPLEX"},
    {0x4c00083a, "MPI_INT64_T"},
    {0x4c00083e, "MPI_UINT64_T"},
    {0x4c000840, "MPI_C_FLOAT_COMPLEX"},
    {0x4c000843, "MPI_AINT"},
    {0x4c000844, "MPI_OFFSET"},
    {0x4c000845, "MPI_COUNT"},
    {0x4c00100c, "MPI_LONG_DOUBLE"},
    {0x4c001022, "MPI_DOUBLE_COMPLEX"},
    {0x4c001023, "MPI_2DOUBLE_PRECISION"},
    {0x4c00102a, "MPI_COMPLEX16"},
    {0x4c00102b, "MPI_REAL16"},
    {0x4c001035, "MPI_CXX_DOUBLE_COMPLEX"},
    {0x4c001041, "MPI_C_DOUBLE_COMPLEX"},
    {0x4c00202c, "MPI_COMPLEX32"},
    {0x4c002036, "MPI_CXX_LONG_DOUBLE_COMPLEX"},
    {0x4c002042, "MPI_C_LONG_DOUBLE_COMPLEX"},
    {0x8c000000, "MPI_FLOAT_INT"},
    {0x8c000001, "MPI_DOUBLE_INT"},
    {0x8c000002, "MPI_LONG_INT"},
    {0x8c000003, "MPI_SHORT_INT"},
    {0x8c000004, "MPI_LONG_DOUBLE_INT"},
};

}  // namespace

const char* predefined_datatype_name(std::uint32_t handle) {
    for (const PredefinedDatatype& row : kPredefined) {
        if (row.handle == handle) return row.name;
    }
    // On other platforms the same type has another size, and so another handle.
    for (const PredefinedDatatype& row : kPredefined) {
        if ((row.handle >> 30) == 1 && (row.handle & ~0xff00U) == (handle & ~0xff00U)) {
            return row.name;
        }
    }
    return nullptr;
}

}  // namespace mqinspect::dll
