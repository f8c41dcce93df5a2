/// Texts that say what a procedure is to do: `lock("set")`, `select case (what)`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Of a STRING_CST, without blanks at its end.
std::string_view text_of(tree text);
/// The literal that `address` points to, without blanks at its end.
std::optional<std::string_view> text_at(tree address);

/// A number for the text that `address` points to, if it is a literal: see kFirstText.
std::optional<std::int64_t> text_number(tree address);

/// A call that gives 0 if the text that a parameter points to is a literal.
struct TextTest {
    Value tested;
    std::optional<std::int64_t> number;
};
TextTest text_test(gimple* call, Values& values, ContextId context);

/// gfortran's `select case` of a text: the number of each case, and its text.
struct TextTable {
    Value tested;
    std::map<std::int64_t, std::int64_t> texts;
};
/// Of what `index` is; empty if it is something else.
TextTable text_table(tree index, Values& values, ContextId context);

}  // namespace mqinspect::thread_level::plugin
