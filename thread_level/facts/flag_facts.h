/// What a flag that is computed of an argument says of that, where a call hands the flag over: as
/// the name of a member that a Parameter would have (`l = level > 1; call b(l)`), which has been
/// created once.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// As in guards that ask for a parameter.
struct FlagFact {
    Condition condition = Condition::None;
    std::int64_t number = 0;
};

/// All of them hold where the flag is true, or where it is false.
struct FlagFacts {
    std::vector<FlagFact> if_true;
    std::vector<FlagFact> if_false;
};

namespace flag_facts {

inline constexpr char kBegin = '?';  // no member is called so
inline constexpr char kOtherSide = '|';
inline constexpr char kEnd = ' ';

struct Code {
    char code;
    Condition condition;
};
inline constexpr Code kCodes[] = {
    {'=', Condition::ArgumentIs},
    {'!', Condition::ArgumentIsNot},
    {'o', Condition::ArgumentIsOrLeftOut},
    {'>', Condition::ArgumentIsPositive},
    {'<', Condition::ArgumentIsNotPositive},
};

}  // namespace flag_facts

inline std::string name_of_facts(const FlagFacts& facts) {
    std::string name(1, flag_facts::kBegin);
    for (const auto* side : {&facts.if_true, &facts.if_false}) {
        for (const FlagFact& fact : *side) {
            for (const flag_facts::Code& each : flag_facts::kCodes)
                if (each.condition == fact.condition) name += each.code;
            name += std::to_string(fact.number) + flag_facts::kEnd;
        }
        name += flag_facts::kOtherSide;
    }
    return name;
}

/// Whether a call hands over such a flag, of that parameter.
constexpr bool is_flag_of_parameter(const Value& value) {
    return value.kind == Value::Kind::Parameter && value.name != 0 && value.created_once;
}

/// Of such a name.
inline FlagFacts facts_of_name(std::string_view name) {
    FlagFacts facts;
    std::vector<FlagFact>* side = &facts.if_true;
    for (name.remove_prefix(1); !name.empty();) {
        const char code = name.front();
        name.remove_prefix(1);
        if (code == flag_facts::kOtherSide) {
            side = &facts.if_false;
            continue;
        }
        FlagFact fact;
        for (const flag_facts::Code& each : flag_facts::kCodes)
            if (each.code == code) fact.condition = each.condition;
        const std::size_t end = name.find(flag_facts::kEnd);
        if (end == std::string_view::npos) break;
        std::from_chars(name.data(), name.data() + end, fact.number);
        side->push_back(fact);
        name.remove_prefix(end + 1);
    }
    return facts;
}

}  // namespace mqinspect::thread_level
