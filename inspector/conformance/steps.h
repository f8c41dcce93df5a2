/// What several scenarios do, and the scenarios themselves. Used in a helper process only.
#pragma once

#include <string_view>
#include <vector>

#include "inspector/conformance/driver.h"

namespace mqinspect::conformance {

bool speaks_level_3(Driver& driver);
/// Sets up everything; the processes that the DLL shows. Says so if there is none.
std::vector<DebuggedProcess*> shown_processes(Driver& driver);
/// Destroys everything, and looks what the DLL has left.
void end(Driver& driver);
/// True if no result code says that something is not known.
bool claims_to_be_complete(const Look& look);
/// Every difference is a violation of `rule` by `function`.
void expect_the_same(
    Driver& driver, Rule rule, std::string_view function, const Look& left, const Look& right);

// The usual order: usual_orders.cpp.
void documented(Driver& driver);
void as_padb(Driver& driver);
void look_at_everything(Driver& driver);

// Calls where nothing is current: odd_orders.cpp.
void operations_first(Driver& driver);
void communicator_first(Driver& driver);
void next_communicator_first(Driver& driver);
void next_operation_after_the_end(Driver& driver);
void next_communicator_after_the_end(Driver& driver);
void operations_after_the_end(Driver& driver);
void unknown_queue(Driver& driver);

// Several at once, again and again: repetitions.cpp.
void two_handles(Driver& driver);
void many_refreshes(Driver& driver);
void image_destroyed_first(Driver& driver);
void error_texts(Driver& driver);

// Jobs that change, processes that are damaged, debuggers that know less:
// hard_conditions.cpp.
void communicators_freed(Driver& driver);
void long_names(Driver& driver);
void list_without_an_end(Driver& driver);
void negative_sizes(Driver& driver);
void without_types(Driver& driver);
void without_symbols(Driver& driver);
void without_memory(Driver& driver);
void memory_lost(Driver& driver);
void out_of_memory(Driver& driver);

}  // namespace mqinspect::conformance
