/// Facts made by hand, for the tests of what facts go through.
#pragma once

#include <string_view>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class UnitBuilder {
public:
    explicit UnitBuilder(std::string_view source = "a.c");

    StringId string(std::string_view text) { return unit.strings.intern(text); }
    Place place(std::uint32_t line, std::uint32_t column = 0);
    /// One region, and no steps. References stay good until the next one.
    Function& function(std::string_view symbol);
    RegionId region(RegionKind kind, RegionId parent, std::uint32_t line);
    /// Steps go to the next one until linked otherwise.
    StepId step(StepKind kind, RegionId region = 0, std::string_view name = {});
    StepId enter(RegionId region);
    StepId leave(RegionId region);
    StepId exit();
    Variable& variable(std::string_view name);
    Value global(std::string_view name);
    Value local(std::string_view name);
    Value predefined(std::string_view name);
    static Value constant(std::int64_t number);
    static Value parameter(std::int64_t number);

    /// Function of the last call of function().
    Function& current() { return unit.functions.back(); }

    Unit unit;

private:
    Value named(Value::Kind kind, std::string_view name);
};

/// A hybrid program with some of everything: all kinds of steps, regions and values.
Unit rich_unit(std::string_view source = "rich.c");

}  // namespace mqinspect::thread_level
