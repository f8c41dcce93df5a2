#include "report/call_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace mqinspect::report {
namespace {

using model::Argument;

/// Parameter names of MPI 4.0's bindings that say where data is or goes.
constexpr std::string_view kStorage[] = {"buf",
                                         "buffer",
                                         "sendbuf",
                                         "recvbuf",
                                         "inbuf",
                                         "inoutbuf",
                                         "origin_addr",
                                         "result_addr",
                                         "compare_addr",
                                         "status",
                                         "array_of_statuses",
                                         "ierror",
                                         "flag",
                                         "index",
                                         "indx",
                                         "outcount",
                                         "array_of_indices",
                                         "newcomm",
                                         "message"};

bool names_storage(std::string_view name) {
    return std::find(std::begin(kStorage), std::end(kStorage), name) != std::end(kStorage);
}

std::string_view shown(std::string_view text) {
    return text.empty() ? "?" : text;
}

std::string named(const Argument& argument) {
    return fmt::format("{}={}", argument.name, shown(argument.text));
}

/// "count" and "datatype" of one buffer, which stand next to each other.
bool is_count_and_type(const Argument& first, const Argument& second) {
    return first.name.ends_with("count") && second.name.ends_with("type");
}

std::vector<std::string> short_arguments(const std::vector<Argument>& all) {
    std::vector<const Argument*> kept;
    for (const Argument& argument : all) {
        if (!names_storage(argument.name)) kept.push_back(&argument);
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Argument& argument = *kept[i];
        if (i + 1 < kept.size() && is_count_and_type(argument, *kept[i + 1])) {
            texts.push_back(fmt::format("{} {}", shown(argument.text), shown(kept[++i]->text)));
        } else if (argument.name == "comm" || argument.name == "op") {
            texts.emplace_back(shown(argument.text));
        } else {
            texts.push_back(named(argument));
        }
    }
    return texts;
}

}  // namespace

std::string call_text(const model::Call& call, bool verbose) {
    // No arguments known is not the same as a call without any.
    if (call.arguments.empty()) return std::string(shown(call.function));
    std::vector<std::string> texts;
    if (verbose) {
        for (const Argument& argument : call.arguments) {
            texts.push_back(named(argument));
        }
    } else {
        texts = short_arguments(call.arguments);
    }
    return fmt::format("{}({})", shown(call.function), fmt::join(texts, ", "));
}

std::string location_text(const model::SourceLocation& location, bool verbose) {
    if (location.file.empty()) return "-";
    std::string text = location.file;
    if (!verbose) text.erase(0, text.rfind('/') + 1);
    if (location.line > 0) text += ':' + std::to_string(location.line);
    return text;
}

const model::SourceLocation* user_location(const model::RankSnapshot& rank) {
    if (rank.call && !rank.call->location.file.empty()) return &rank.call->location;
    for (const model::Frame& frame : rank.stack) {
        if (!frame.location.file.empty()) return &frame.location;
    }
    return nullptr;
}

std::string activity_text(const model::RankSnapshot& rank, bool verbose) {
    const model::SourceLocation* location = user_location(rank);
    const model::Frame* user = nullptr;
    for (const model::Frame& frame : rank.stack) {
        if (location != nullptr && frame.location == *location) {
            user = &frame;
            break;
        }
    }
    std::string text(user != nullptr ? shown(user->function) : "");
    std::string inner;
    if (rank.call) {
        inner = call_text(*rank.call, verbose);
    } else if (!rank.stack.empty() && &rank.stack.front() != user) {
        inner = rank.stack.front().function;
    }
    if (text.empty()) return std::string(shown(inner));
    return inner.empty() ? text : fmt::format("{}, in {}", text, inner);
}

}  // namespace mqinspect::report
