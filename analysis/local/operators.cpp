#include "analysis/local/operators.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {

namespace {

enum class Family {
    Integer,
    FortranInteger,
    Floating,
    Logical,
    Complex,
    Byte,
    Multi,
    Pair,
    Text,
    Other
};

bool among(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Family family_of(std::string_view name) {
    if (among(name,
              {"MPI_INT",
               "MPI_LONG",
               "MPI_SHORT",
               "MPI_UNSIGNED_SHORT",
               "MPI_UNSIGNED",
               "MPI_UNSIGNED_LONG",
               "MPI_LONG_LONG_INT",
               "MPI_LONG_LONG",
               "MPI_UNSIGNED_LONG_LONG",
               "MPI_SIGNED_CHAR",
               "MPI_UNSIGNED_CHAR",
               "MPI_INT8_T",
               "MPI_INT16_T",
               "MPI_INT32_T",
               "MPI_INT64_T",
               "MPI_UINT8_T",
               "MPI_UINT16_T",
               "MPI_UINT32_T",
               "MPI_UINT64_T"}))
        return Family::Integer;
    if (among(name,
              {"MPI_INTEGER",
               "MPI_INTEGER1",
               "MPI_INTEGER2",
               "MPI_INTEGER4",
               "MPI_INTEGER8",
               "MPI_INTEGER16"}))
        return Family::FortranInteger;
    if (among(name,
              {"MPI_FLOAT",
               "MPI_DOUBLE",
               "MPI_REAL",
               "MPI_DOUBLE_PRECISION",
               "MPI_LONG_DOUBLE",
               "MPI_REAL2",
               "MPI_REAL4",
               "MPI_REAL8",
               "MPI_REAL16"}))
        return Family::Floating;
    if (among(name, {"MPI_LOGICAL", "MPI_C_BOOL", "MPI_CXX_BOOL"})) return Family::Logical;
    if (among(name,
              {"MPI_COMPLEX",
               "MPI_C_COMPLEX",
               "MPI_C_FLOAT_COMPLEX",
               "MPI_C_DOUBLE_COMPLEX",
               "MPI_C_LONG_DOUBLE_COMPLEX",
               "MPI_DOUBLE_COMPLEX",
               "MPI_CXX_FLOAT_COMPLEX",
               "MPI_CXX_DOUBLE_COMPLEX",
               "MPI_CXX_LONG_DOUBLE_COMPLEX",
               "MPI_COMPLEX4",
               "MPI_COMPLEX8",
               "MPI_COMPLEX16",
               "MPI_COMPLEX32"}))
        return Family::Complex;
    if (name == "MPI_BYTE") return Family::Byte;
    if (among(name, {"MPI_AINT", "MPI_OFFSET", "MPI_COUNT"})) return Family::Multi;
    if (among(name,
              {"MPI_FLOAT_INT",
               "MPI_DOUBLE_INT",
               "MPI_LONG_INT",
               "MPI_2INT",
               "MPI_SHORT_INT",
               "MPI_LONG_DOUBLE_INT",
               "MPI_2REAL",
               "MPI_2DOUBLE_PRECISION",
               "MPI_2INTEGER"}))
        return Family::Pair;
    if (among(name, {"MPI_CHAR", "MPI_WCHAR", "MPI_CHARACTER"})) return Family::Text;
    return Family::Other;
}

bool allowed(std::string_view op, Family family) {
    const bool integer = family == Family::Integer;
    const bool number = integer || family == Family::FortranInteger || family == Family::Multi;
    if (op == "MPI_MAX" || op == "MPI_MIN") return number || family == Family::Floating;
    if (op == "MPI_SUM" || op == "MPI_PROD")
        return number || family == Family::Floating || family == Family::Complex;
    if (op == "MPI_LAND" || op == "MPI_LOR" || op == "MPI_LXOR")
        return integer || family == Family::Logical;
    if (op == "MPI_BAND" || op == "MPI_BOR" || op == "MPI_BXOR")
        return number || family == Family::Byte;
    return family == Family::Pair;  // MPI_MAXLOC, MPI_MINLOC
}

}  // namespace

Reduction reduction(const model::RecordedOperator& op, const model::RecordedDatatype& type) {
    const bool predefined = among(op.name,
                                  {"MPI_MAX",
                                   "MPI_MIN",
                                   "MPI_SUM",
                                   "MPI_PROD",
                                   "MPI_LAND",
                                   "MPI_LOR",
                                   "MPI_LXOR",
                                   "MPI_BAND",
                                   "MPI_BOR",
                                   "MPI_BXOR",
                                   "MPI_MAXLOC",
                                   "MPI_MINLOC"});
    if (!predefined) return Reduction::Unknown;
    if (type.combiner.starts_with("MPI_COMBINER_F90_") || type.combiner == "MPI_COMBINER_DUP")
        return Reduction::Unknown;
    if (!is_basic(type)) return type.combiner.empty() ? Reduction::Unknown : Reduction::Forbidden;
    const Family family = family_of(type.name);
    if (family == Family::Other) return Reduction::Unknown;
    if (allowed(op.name, family)) return Reduction::Allowed;
    const bool text = family == Family::Text && op.name != "MPI_MAXLOC" && op.name != "MPI_MINLOC";
    return text ? Reduction::Doubtful : Reduction::Forbidden;
}

}  // namespace mqinspect::analysis
