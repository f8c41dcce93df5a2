/// Equal findings become one.
#pragma once

#include <functional>
#include <string>

#include "analysis/findings.h"

namespace mqinspect::analysis {

/// Makes findings of one class, at the same call sites in the same parts, one. So are changes of
/// one buffer, be it that they were caught or that what has changed was found later.
void merge_equal(Findings& findings);

/// For findings of a class a number that is the same for stacks that are as good as equal.
using PlaceOf = std::function<int(FindingClass, model::StackId)>;
/// The same with places in the stead of stacks.
void merge_equal(Findings& findings, const PlaceOf& place_of);

/// Where two findings at the same places were reached on different ways: "main.c:21"; or empty.
using CallerOf = std::function<std::string(const Finding& one, const Finding& other)>;
/// Of findings of one class at the same places, with the same words, the first stays. It takes in
/// the others, and says how many they are and where some of them come from: `caller_of` itself and
/// another one.
void fold_callers(Findings& findings, const PlaceOf& place_of, const CallerOf& caller_of);

}  // namespace mqinspect::analysis
