// The commands of the shell about stacks, and the variables in them.

#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "inspector/shell/shell.h"
#include "inspector/shell/words.h"
#include "model/worlds.h"
#include "report/call_text.h"
#include "report/stack_tree.h"
#include "report/utf8.h"

namespace mqinspect::shell {

namespace {

using report::Page;
using report::Style;

Error wrong(std::string message) {
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

std::string frame_text(const model::Frame& frame) {
    std::string text = frame.function.empty() ? fmt::format("{:#x}", frame.pc) : frame.function;
    if (!frame.location.file.empty()) {
        return text + " at " + report::location_text(frame.location, false);
    }
    if (frame.image.empty()) return text;
    return text + " in " + report::location_text({frame.image, 0}, false);
}

void print_frame(Page& page, std::size_t number, const model::Frame& frame) {
    page.paragraph(Style::Plain, fmt::format("#{:<3}{}", number, frame_text(frame)), 2);
}

/// Which variables of a frame are shown.
enum class Variables { None, OfCall, Parameters, All };

/// What the MPI library does inside is of interest only to who asks for it: of the call only
/// its arguments are shown.
Variables variables_of(std::size_t frame, std::size_t user_frame, bool locals, bool inside) {
    if (frame < user_frame && !inside)
        return frame + 1 == user_frame ? Variables::OfCall : Variables::None;
    return locals ? Variables::All : Variables::Parameters;
}

void print_variables(Page& page,
                     const std::vector<target::ShownVariable>& variables,
                     Variables shown) {
    for (const target::ShownVariable& variable : variables) {
        if (shown != Variables::All && !variable.is_parameter) continue;
        if (shown == Variables::OfCall && !variable.inlined.empty()) continue;
        const std::string place =
            variable.inlined.empty() ? "" : fmt::format(" (inlined {})", variable.inlined);
        page.paragraph(
            Style::Dim, fmt::format("{} = {}{}", variable.name, variable.value.text, place), 8);
    }
}

/// "#3": the number of a frame.
Result<std::size_t> frame_number(std::string_view word) {
    std::size_t number = 0;
    const std::string_view digits = word.substr(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size()) return number;
    return wrong(fmt::format("\"{}\" is no frame; write such as #3", report::printable(word)));
}

}  // namespace

Result<Done> Shell::where(Words words) {
    const auto chosen = TRY(ranks_of(words));
    const bool all = !words.empty() && words.front() == "all";
    TRY(need_no_words(all ? words.subspan(1) : words));
    Page page = this->page();
    const report::StackTree tree = report::merge_stacks(
        findings_.snapshot, chosen, all ? report::Frames::All : report::Frames::OfUser);
    report::print_stack_tree(page, findings_.snapshot, tree, all, 2);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::stack(Words words) {
    const model::WorldRank number = TRY(the_rank(words.first(words.empty() ? 0 : 1)));
    const std::string what = words.size() > 1 ? words[1] : "";
    const bool all = words.size() > 2 && words[2] == "all";
    TRY(need_no_words(words.subspan(std::size_t{1} + (what.empty() ? 0 : 1) + (all ? 1 : 0))));
    Page page = this->page();
    if (what.empty()) {
        const model::RankSnapshot& rank = findings_.snapshot.ranks[number.index()];
        if (rank.stack.empty()) page.paragraph(Style::Dim, "not known", 2);
        for (std::size_t i = 0; i < rank.stack.size(); ++i)
            print_frame(page, i, rank.stack[i]);
        print(std::move(page));
        return Done{};
    }
    if (what != "arguments" && what != "locals") {
        return wrong(
            fmt::format("\"{}\" is neither arguments nor locals", report::printable(what)));
    }
    TRY(need_job());
    const snapshot::RankStack stack = TRY(session_->stack_of(number));
    for (std::size_t i = 0; i < stack.frames().size(); ++i) {
        print_frame(page, i, stack.frames()[i]);
        const Variables shown = variables_of(i, stack.default_frame(), what == "locals", all);
        if (shown == Variables::None) continue;
        print_variables(page, stack.variables(i, &findings_.snapshot), shown);
    }
    if (!stack.problem().empty()) page.paragraph(Style::Warning, stack.problem(), 2);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::print_value(Words words, std::string_view text) {
    const model::WorldRank number = TRY(the_rank(words.first(words.empty() ? 0 : 1)));
    std::string_view expression = after_first_word(text);
    const bool in_frame = expression.starts_with('#');
    std::size_t frame = 0;
    if (in_frame) {
        frame = TRY(frame_number(words[1]));
        expression = after_first_word(expression);
    }
    if (expression.empty()) return wrong("which expression?");
    const snapshot::RankStack stack = TRY(session_->stack_of(number));
    const target::ShownValue value = TRY(
        stack.evaluate(in_frame ? frame : stack.default_frame(), expression, &findings_.snapshot));
    line(fmt::format("({}) {}", value.type, value.text));
    return Done{};
}

}  // namespace mqinspect::shell
