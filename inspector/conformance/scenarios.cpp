#include "inspector/conformance/scenarios.h"

#include <array>

#include "inspector/conformance/steps.h"

namespace mqinspect::conformance {

namespace {

const std::array kScenarios{
    Scenario{"documented", "every function in the documented order", {}, documented},
    Scenario{"as-padb",
             "the MPI-1 level without version functions, ranks known later",
             {.short_tables = true, .ranks_unknown = true},
             as_padb},
    Scenario{"no-optional-callbacks",
             "no mqs_dprints, mqs_errorstring and mqs_sizeof",
             {.no_optional_callbacks = true},
             look_at_everything},
    Scenario{"hollow-types",
             "a type that is not known has a handle all the same",
             {.hollow_types = true},
             look_at_everything},
    Scenario{"operations-first", "operations before any communicator", {}, operations_first},
    Scenario{"communicator-first", "a communicator before any update", {}, communicator_first},
    Scenario{"next-first", "the next communicator before the first", {}, next_communicator_first},
    Scenario{"next-operation-after-the-end",
             "mqs_next_operation after mqs_end_of_list",
             {},
             next_operation_after_the_end},
    Scenario{"next-communicator-after-the-end",
             "mqs_next_communicator after mqs_end_of_list",
             {},
             next_communicator_after_the_end},
    Scenario{"operations-after-the-end",
             "operations after the last communicator",
             {},
             operations_after_the_end},
    Scenario{"unknown-queue", "a class of operations that does not exist", {}, unknown_queue},
    Scenario{"two-handles", "two images and processes in turns", {}, two_handles},
    Scenario{"many-refreshes", "no memory is kept from look to look", {}, many_refreshes},
    Scenario{"image-destroyed-first", "the image before its processes", {}, image_destroyed_first},
    Scenario{"communicators-freed", "a refresh after MPI_Comm_free", {}, communicators_freed},
    Scenario{"long-names", "names that fill all their room", {}, long_names},
    Scenario{"list-without-an-end", "communicators linked in a circle", {}, list_without_an_end},
    Scenario{"negative-sizes", "communicators of size -1", {}, negative_sizes},
    Scenario{"no-types", "a debugger that knows no type", {.no_types = true}, without_types},
    Scenario{"only-hollow-types",
             "every type has a handle and no member",
             {.no_types = true, .hollow_types = true},
             without_types},
    Scenario{
        "no-symbols", "a debugger that knows no symbol", {.no_symbols = true}, without_symbols},
    Scenario{"no-memory", "no memory can be read", {.no_memory = true}, without_memory},
    Scenario{"memory-lost", "the process is gone at the second look", {}, memory_lost},
    Scenario{"out-of-memory", "mqs_malloc fails once", {}, out_of_memory},
    Scenario{"error-texts", "the text of every code", {}, error_texts},
};

}  // namespace

std::span<const Scenario> scenarios() {
    return kScenarios;
}

}  // namespace mqinspect::conformance
