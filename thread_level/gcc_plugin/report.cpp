#include "thread_level/gcc_plugin/report.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace mqinspect::thread_level::plugin {
namespace {

using OptionName = char* (*)(diagnostic_context*, int, diagnostic_t, diagnostic_t);

OptionName gcc_option_name = nullptr;
const char* current_option = nullptr;  // of the diagnostic that is being made

/// GCC knows no options of plugins, so their names are given where it asks for them.
char* option_name(diagnostic_context* context,
                  int index,
                  diagnostic_t original,
                  diagnostic_t kind) {
    if (current_option == nullptr || index != 0) {
        return gcc_option_name == nullptr ? nullptr
                                          : gcc_option_name(context, index, original, kind);
    }
    const bool is_promoted = original == DK_WARNING && kind == DK_ERROR;
    return concat(is_promoted ? "-Werror=" : "-W", current_option, nullptr);
}

bool has_suppression(const char* file, int line) {
    if (file == nullptr || line <= 0) return false;
    const char_span text = location_get_source_line(file, line);
    if (!text) return false;
    const std::string_view source(text.get_buffer(), text.length());
    return source.find("mpi-thread-level: ignore") != std::string_view::npos;
}

bool is_suppressed(const Place& place) {
    const expanded_location at = expand_location(place.compiler);
    return has_suppression(at.file, at.line) || has_suppression(at.file, at.line - 1);
}

/// Switched off by -Wno-OPTION, which GCC itself doesn't know.
bool is_switched_off(const std::string& option) {
    const std::string wanted = "-Wno-" + option;
    for (unsigned i = 0; i < save_decoded_options_count; ++i) {
        const char* text = save_decoded_options[i].orig_option_with_args_text;
        if (text != nullptr && wanted == text) return true;
    }
    return false;
}

bool is_wanted(const Diagnostic& diagnostic, const Arguments& arguments) {
    const std::string option = option_of(diagnostic.rule);
    if (std::find(arguments.ignored.begin(), arguments.ignored.end(), option) !=
        arguments.ignored.end())
        return false;
    return !is_switched_off(option) && !is_suppressed(diagnostic.place);
}

bool emit(const Diagnostic& diagnostic, const Arguments& arguments) {
    const auto location = static_cast<location_t>(diagnostic.place.compiler);
    const char* message = diagnostic.message.c_str();
    switch (diagnostic.severity) {
        case Severity::Note:
            inform(location, "%s", message);
            return true;
        case Severity::Warning:
            return warning_at(location, 0, "%s", message);
        case Severity::Error:
            break;
    }
    if (!arguments.errors) return warning_at(location, 0, "%s", message);
    error_at(location, "%s", message);
    return true;
}

void emit_with_remarks(const Diagnostic& diagnostic, const Arguments& arguments) {
    auto_diagnostic_group group;
    if (!emit(diagnostic, arguments)) return;
    current_option = nullptr;
    // Right behind, or GCC would show the line again.
    if (!diagnostic.fix.empty()) inform(diagnostic.place.compiler, "%s", diagnostic.fix.c_str());
    for (const Remark& remark : diagnostic.remarks)
        inform(remark.place.compiler, "%s", remark.message.c_str());
}

std::string where(const Unit& unit, const Place& place) {
    return unit.strings[place.file] + ":" + std::to_string(place.line);
}

}  // namespace

void report(const Gathering& gathering, const Assessment& assessment, const Arguments& arguments) {
    gcc_option_name = global_dc->option_name;
    global_dc->option_name = option_name;
    const tree function_before = current_function_decl;
    for (const Diagnostic& diagnostic : assessment.diagnostics) {
        if (!is_wanted(diagnostic, arguments)) continue;
        const std::size_t function =
            diagnostic.steps.empty() ? gathering.declarations.size() : diagnostic.steps[0].first;
        current_function_decl =
            function < gathering.declarations.size() ? gathering.declarations[function] : NULL_TREE;
        current_option = option_of(diagnostic.rule);
        emit_with_remarks(diagnostic, arguments);
        current_option = nullptr;
    }
    current_function_decl = function_before;
    global_dc->option_name = gcc_option_name;
}

void print_summary(const Unit& unit, const Assessment& assessment) {
    for (const Site& site : assessment.sites) {
        const Function& function = unit.functions[site.function];
        const Step& step = function.steps[site.step];
        fprintf(stderr,
                "%-24s %-20s %-22s %-24s %s%s\n",
                where(unit, step.place).c_str(),
                unit.strings[function.name].c_str(),
                unit.strings[step.name].c_str(),
                site.states == 0 ? "not reached" : name_of(site.required),
                site.word.empty() ? "-" : site.word.c_str(),
                site.perhaps ? " (perhaps)" : "");
    }
    fprintf(stderr,
            "%s: required %s\n",
            unit.strings[unit.source].c_str(),
            name_of(assessment.required));
}

namespace {

bool is_directive(std::string_view line) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos) return false;
    line.remove_prefix(start);
    if (is_fortran()) return line.starts_with("!$omp") || line.starts_with("!$OMP");
    if (!line.starts_with('#')) return false;
    const std::size_t pragma = line.find_first_not_of(" \t", 1);
    return pragma != std::string_view::npos && line.substr(pragma).starts_with("pragma omp");
}

}  // namespace

void report_ignored_directives(const Unit& unit) {
    if (flag_openmp != 0 || main_input_filename == nullptr) return;
    if (global_dc->dc_inhibit_warnings) return;
    const bool has_mpi =
        std::any_of(unit.functions.begin(), unit.functions.end(), [](const Function& function) {
            return std::any_of(function.steps.begin(), function.steps.end(), [](const Step& step) {
                return step.kind == StepKind::Mpi;
            });
        });
    if (!has_mpi) return;
    for (int line = 1;; ++line) {
        const char_span text = location_get_source_line(main_input_filename, line);
        if (!text) return;
        if (!is_directive({text.get_buffer(), text.length()})) continue;
        inform(UNKNOWN_LOCATION,
               "%s:%d: OpenMP directives are ignored without %<-fopenmp%>, so MPI thread levels "
               "are checked as if there were none",
               main_input_filename,
               line);
        return;
    }
}

}  // namespace mqinspect::thread_level::plugin
