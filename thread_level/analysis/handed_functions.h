/// Functions that are handed to others, which call them or start threads with them: `apply(plain)`,
/// or, as members of an object, `job.run = plain, apply(&job)`; and objects, of which others call
/// virtual functions: `worker.start()`.
#pragma once

#include <optional>
#include <vector>

#include "thread_level/analysis/assessment.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// A unit in which a function that calls what it is handed is there once more for each function, or
/// class of objects, that calls hand it, behind all functions of the unit that it was made of.
/// Steps of copies are those of the function, by their numbers.
struct HandedFunctions {
    Unit unit;
    FunctionId first_copy = 0;
    std::vector<FunctionId> copied;  ///< by copy: which function it is one of
};

/// Nothing if no call hands over a function or class that is known.
std::optional<HandedFunctions> with_handed_functions(const Unit& unit);

/// What was said of copies is said of the functions that they are copies of, once.
void fold_copies(const HandedFunctions& handed, Assessment& assessment);

}  // namespace mqinspect::thread_level
