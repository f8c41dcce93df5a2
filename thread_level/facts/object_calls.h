/// Functions that call virtual functions of the object which they get first, or start threads with
/// such: `this`, or what a thread is handed.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// The step calls a virtual function of the object that the function gets first, or starts a thread
/// with one.
bool calls_own_virtual(const Step& step);
/// The step calls or starts a function by name, and hands on the object that the function gets
/// first as the first one.
bool hands_on_object(const Step& step);

/// By function: whether it does one of the two, and what it hands the object to does so. What the
/// unit has not does.
std::vector<bool> object_callers(const Unit& unit,
                                 const std::unordered_map<StringId, FunctionId>& by_symbol);

}  // namespace mqinspect::thread_level
