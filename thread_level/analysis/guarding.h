/// Guards around what functions come to by what variables are.
#pragma once

#include <span>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Puts `guard` around what the function comes to only by its step `test`, in the region that the
/// step is in. Steps stay what they are; regions get other numbers. Nothing is done if a construct
/// would be divided.
void put_guard(Function& function, StepId test, const Region& guard);

/// What the function may come to from `start` on, that itself; behind steps of `ends` nothing.
std::vector<bool> reached_from(std::span<const Step> steps,
                               StepId start,
                               const std::vector<bool>& ends);

/// What it comes to only by the step `test`, that itself.
std::vector<bool> only_behind(std::span<const Step> steps, StepId test);

/// The two ways of a branch on whether a variable that hands the turn on is 0; or, of one that is
/// nothing else, 1.
struct ZeroTest {
    StepId is_zero = 0;
    StepId is_not = 0;
    StringId variable = 0;
};

std::vector<ZeroTest> zero_tests(std::span<const Step> steps);

/// Whether it is a guard, or a way past one, of what happens once as a variable says: `tested`.
bool has_flag(const Region& region);

}  // namespace mqinspect::thread_level
