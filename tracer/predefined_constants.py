"""Constants and predefined handles of a given mpi.h, for constants.cpp."""

import re

from generated_files import END, IN_NAMESPACE, write

CONSTANTS = """MPI_SUCCESS MPI_ANY_SOURCE MPI_PROC_NULL MPI_ROOT MPI_ANY_TAG MPI_UNDEFINED MPI_KEYVAL_INVALID
MPI_IDENT MPI_CONGRUENT MPI_SIMILAR MPI_UNEQUAL MPI_CART MPI_GRAPH MPI_DIST_GRAPH
MPI_THREAD_SINGLE MPI_THREAD_FUNNELED MPI_THREAD_SERIALIZED MPI_THREAD_MULTIPLE
MPI_LOCK_EXCLUSIVE MPI_LOCK_SHARED MPI_MODE_NOCHECK MPI_MODE_NOSTORE MPI_MODE_NOPUT
MPI_MODE_NOPRECEDE MPI_MODE_NOSUCCEED MPI_MODE_APPEND MPI_MODE_CREATE MPI_MODE_DELETE_ON_CLOSE
MPI_MODE_EXCL MPI_MODE_RDONLY MPI_MODE_RDWR MPI_MODE_SEQUENTIAL MPI_MODE_UNIQUE_OPEN
MPI_MODE_WRONLY MPI_SEEK_SET MPI_SEEK_CUR MPI_SEEK_END MPI_ORDER_C MPI_ORDER_FORTRAN
MPI_DISTRIBUTE_BLOCK MPI_DISTRIBUTE_CYCLIC MPI_DISTRIBUTE_NONE MPI_DISTRIBUTE_DFLT_DARG
MPI_COMM_TYPE_SHARED MPI_COMM_TYPE_HW_UNGUIDED MPI_COMM_TYPE_HW_GUIDED MPI_BSEND_OVERHEAD
MPI_MAX_ERROR_STRING MPI_MAX_PROCESSOR_NAME
MPI_MAX_OBJECT_NAME MPI_MAX_LIBRARY_VERSION_STRING MPI_MAX_INFO_KEY MPI_MAX_PORT_NAME
MPI_MAX_DATAREP_STRING MPI_ERR_LASTCODE MPI_ERR_IN_STATUS MPI_ERR_PENDING MPI_ERR_TRUNCATE
MPI_ERR_BUFFER MPI_ERR_COUNT MPI_ERR_TYPE MPI_ERR_TAG MPI_ERR_COMM MPI_ERR_RANK MPI_ERR_REQUEST
MPI_ERR_ROOT MPI_ERR_GROUP MPI_ERR_OP MPI_ERR_TOPOLOGY MPI_ERR_DIMS MPI_ERR_ARG MPI_ERR_UNKNOWN
MPI_ERR_OTHER MPI_ERR_INTERN MPI_ERR_ACCESS MPI_ERR_AMODE MPI_ERR_ASSERT MPI_ERR_BASE
MPI_ERR_DISP MPI_ERR_FILE MPI_ERR_INFO MPI_ERR_KEYVAL MPI_ERR_LOCKTYPE MPI_ERR_NO_MEM
MPI_ERR_RMA_CONFLICT MPI_ERR_RMA_SYNC MPI_ERR_RMA_RANGE MPI_ERR_RMA_ATTACH MPI_ERR_RMA_SHARED
MPI_ERR_RMA_FLAVOR MPI_ERR_SIZE MPI_ERR_WIN MPI_ERR_SPAWN MPI_ERR_PORT""".split()
ADDRESSES = """MPI_BOTTOM MPI_IN_PLACE MPI_STATUS_IGNORE MPI_INFO_NULL MPI_INFO_ENV
MPI_ERRHANDLER_NULL MPI_ERRORS_ARE_FATAL MPI_ERRORS_RETURN MPI_ERRORS_ABORT""".split()
# How the parts of a library's header spell predefined handles.
PREDEFINED = {
    "Datatype": r"MPI(?:X)?_[A-Z0-9]+(?:_[A-Z0-9]+)*",
    "Op": r"MPI_[A-Z][A-Z0-9_]*",
}


def predefined(header_text, kind):
    """Names of predefined handles: macros of the header that stand for a handle of this kind."""
    pattern = rf"^#define\s+({PREDEFINED[kind]})\s+\(?\(\s*(?:MPI_{kind}\)|OMPI_PREDEFINED_GLOBAL\(\s*MPI_{kind}\b)|"
    pattern += rf"^#define\s+({PREDEFINED[kind]})\s+OMPI_PREDEFINED_GLOBAL\(\s*MPI_{kind}\b"
    found = [a or b for a, b in re.findall(pattern, header_text, re.MULTILINE)]
    return [n for n in dict.fromkeys(found) if not n.endswith("_NULL") and n != "MPI_OP_NULL"]


def table(element, function, rows):
    """Filled when it is first asked for: what handles are may be known late."""
    rows = rows.replace("},{", "},\n        {")
    return (
        f"std::span<const {element}> {function}() {{\n"
        f"    static const {element} table[] = {{\n        {rows}\n    }};\n"
        "    return table;\n}\n\n"
    )


def write_constants(folder, macros):
    known = set(re.findall(r"^#define\s+(MPIX?_\w+)\s", macros, re.MULTILINE))
    enumerators = set(re.findall(r"^\s*(MPI_\w+)\s*(?:=|,)", macros, re.MULTILINE))
    text = '\n#include <mpi.h>\n\n#include "tracer/constants.h"\n'
    text += '#include "tracer/handles/datatypes.h"\n#include "tracer/handles/handle_map.h"\n'
    text += '#include "tracer/handles/objects.h"\n\n' + IN_NAMESPACE
    rows = "".join(f'{{"{n}", {n}}},' for n in CONSTANTS if n in known | enumerators)
    rows += "".join(
        f'{{"{n}", static_cast<std::int64_t>(handle_bits({n}))}},'
        for n in ADDRESSES
        if n in known
    )
    text += table("Constant", "constants", rows)
    text += "const char* error_class_name(int error_class) {\n"
    text += "    static const Constant classes[] = {\n"
    for name in sorted(known | enumerators):
        if name.startswith("MPI_ERR_") and name not in ("MPI_ERR_LASTCODE",):
            text += f'        {{"{name}", {name}}},\n'
    text += "    };\n    for (const Constant& constant : classes)\n"
    text += "        if (constant.value == error_class) return constant.name;\n"
    text += '    return "";\n}\n\n'
    for kind, name in (("Datatype", "Datatype"), ("Op", "Operator")):
        rows = "".join(f'{{handle_bits({n}), "{n}"}},' for n in predefined(macros, kind))
        text += table(f"Predefined{name}", f"predefined_{name.lower()}s", rows)
    write(folder / "constants.cpp", text + END)
