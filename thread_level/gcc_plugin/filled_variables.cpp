#include "thread_level/gcc_plugin/filled_variables.h"

#include <algorithm>
#include <string_view>

#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level::plugin {
namespace {

struct Receiving {
    std::string_view procedure;
    unsigned buffer;
};

constexpr Receiving kReceiving[] = {
    {"MPI_Bcast", 0},
    {"MPI_Ibcast", 0},
    {"MPI_Recv", 0},
    {"MPI_Irecv", 0},
    {"MPI_Mrecv", 0},
    {"MPI_Reduce", 1},
    {"MPI_Allreduce", 1},
    {"MPI_Scan", 1},
    {"MPI_Exscan", 1},
    {"MPI_Gather", 3},
    {"MPI_Allgather", 3},
    {"MPI_Scatter", 3},
};

bool reads_input(std::string_view name) {
    if (name.starts_with("_gfortran_transfer_")) return !name.ends_with("_write");
    return name == "_gfortran_st_set_nml_var" || name == "fread" || name == "read" ||
           name == "operator>>" || contains(name, "scanf");
}

}  // namespace

tree filled_by(const gcall* call, unsigned position, const Callee& callee) {
    const tree argument = gimple_call_arg(call, position);
    if (TREE_CODE(argument) != ADDR_EXPR) return NULL_TREE;
    const tree variable = TREE_OPERAND(argument, 0);
    if (!VAR_P(variable) || !is_global_var(variable) || !INTEGRAL_TYPE_P(TREE_TYPE(variable)))
        return NULL_TREE;
    if (callee.kind == CalleeKind::Mpi) {
        const bool is_received = std::ranges::any_of(kReceiving, [&](const Receiving& each) {
            return each.procedure == callee.mpi->name && each.buffer == position;
        });
        return is_received ? variable : NULL_TREE;
    }
    const tree name = DECL_NAME(gimple_call_fndecl(call));
    return name != NULL_TREE && reads_input(IDENTIFIER_POINTER(name)) ? variable : NULL_TREE;
}

}  // namespace mqinspect::thread_level::plugin
