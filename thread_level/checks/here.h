/// What is known of the calling thread.
#pragma once

#include <cstdint>

#include "thread_level/checks/exclusions.h"

namespace mqinspect::thread_level::checks {

struct Frame;
struct Record;

struct Here {
    Frame* frame;    ///< of the innermost team; nullptr: in none
    unsigned tasks;  ///< explicit ones, inside of each other, in that frame
    Record* record;  ///< nullptr: has made no MPI call yet
    Held held;
};

// Linked at the program's start, the library has a part of what every thread has from its start.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it has no initializer that runs
extern constinit thread_local Here here;

}  // namespace mqinspect::thread_level::checks
