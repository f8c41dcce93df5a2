/// mqinspect._mqinspect: what of the Python package is not Python. The package turns the
/// JSON report into objects, so that one schema serves every language.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "analysis/deadlock.h"
#include "inspector/session/snapshot_file.h"
#include "model/snapshot_text.h"
#include "report/dispatch.h"
#include "report/source_excerpts.h"
#include "report/stack_tree.h"

#include "python/failure.h"
#include "python/held_job.h"
#include "python/job.h"
#include "python/text.h"

namespace mqinspect::python {

namespace {

namespace py = pybind11;
using session::Findings;

using ReleaseGil = py::call_guard<py::gil_scoped_release>;

Findings parse(const std::string& text) {
    if (session::is_saved_findings(text)) return value_or_throw(session::parse_findings(text));
    Findings findings;
    findings.snapshot = value_or_throw(model::parse_snapshot(text));
    findings.verdict = analysis::analyze(findings.snapshot);
    return findings;
}

/// As a file has it, with the sources that can be read here.
std::string saved_text(const Findings& findings) {
    Findings whole = findings;
    report::keep_sources(whole.snapshot);
    return session::print_findings(whole);
}

/// What was seen and found, whatever sources were kept with it.
bool equal(const Findings& left, const Findings& right) {
    Findings stripped = left;
    stripped.snapshot.sources = right.snapshot.sources;
    return stripped.snapshot == right.snapshot && left.verdict.kind == right.verdict.kind &&
           left.verdict.unconfirmed == right.verdict.unconfirmed;
}

std::string tree_of(const Findings& findings,
                    const std::optional<std::vector<int>>& ranks,
                    const report::TextOptions& options) {
    std::vector<model::WorldRank> chosen;
    for (const int rank : ranks.value_or(std::vector<int>{}))
        chosen.emplace_back(rank);
    for (std::size_t i = 0; !ranks && i < findings.snapshot.ranks.size(); ++i)
        chosen.push_back(findings.snapshot.ranks[i].rank);
    return report::print_stack_tree(findings.snapshot, chosen, options);
}

std::string report_of(const Findings& findings,
                      const std::string& format,
                      const report::TextOptions& options) {
    return value_or_throw(
        report::print_report(format, findings.snapshot, findings.verdict, options));
}

py::str print(const Findings& findings,
              const std::string& format,
              const report::TextOptions& options) {
    std::string text;
    {
        const py::gil_scoped_release release;
        text = report_of(findings, format, options);
    }
    return to_python(text);
}

void bind_findings(py::module_& module) {
    py::class_<Findings>(module, "Findings")
        .def(
            "report",
            [](const Findings& findings,
               const std::string& format,
               bool color,
               int width,
               bool verbose,
               bool stacks) {
                report::TextOptions options;
                options.color = color;
                options.width = width;
                options.verbose = verbose;
                options.show_stacks = stacks;
                return print(findings, format, options);
            },
            py::arg("format"),
            py::kw_only(),
            py::arg("color"),
            py::arg("width"),
            py::arg("verbose"),
            py::arg("stacks"))
        .def(
            "stack_tree",
            [](const Findings& findings,
               const std::optional<std::vector<int>>& ranks,
               bool color,
               int width,
               bool verbose) {
                report::TextOptions options;
                options.color = color;
                options.width = width;
                options.verbose = verbose;
                return to_python(tree_of(findings, ranks, options));
            },
            py::arg("ranks"),
            py::kw_only(),
            py::arg("color"),
            py::arg("width"),
            py::arg("verbose"))
        .def("text", [](const Findings& findings) { return to_python(saved_text(findings)); })
        .def("equals", &equal, py::arg("other"));
    module.def("parse", &parse, py::arg("text"), ReleaseGil());
    module.def("format_names", [] {
        std::vector<std::string> names;
        for (const std::string_view name : report::format_names())
            names.emplace_back(name);
        return names;
    });
}

void bind_job(py::module_& module) {
    py::class_<Job>(module, "Job")
        .def(py::init([](std::vector<pid_t> pids,
                         std::string dll,
                         std::vector<std::string> types,
                         bool internal,
                         int confirm_ms) {
                 session::SessionOptions options;
                 options.observer.dll = std::move(dll);
                 options.observer.types = std::move(types);
                 options.observer.show_internal = internal;
                 options.confirm = std::chrono::milliseconds(confirm_ms);
                 return std::make_unique<Job>(std::move(pids), std::move(options));
             }),
             py::arg("pids"),
             py::kw_only(),
             py::arg("dll"),
             py::arg("types"),
             py::arg("internal"),
             py::arg("confirm_ms"),
             ReleaseGil())
        .def("look", &Job::look, ReleaseGil())
        .def("pids", &Job::pids, ReleaseGil())
        .def("close", &Job::close, ReleaseGil())
        .def("closed", &Job::closed, ReleaseGil());
}

}  // namespace

PYBIND11_MODULE(_mqinspect, module) {
    module.doc() = "The compiled part of mqinspect; use the package.";
    module.attr("__version__") = MQI_VERSION;
    register_failures();
    bind_findings(module);
    bind_job(module);
    bind_held_job(module);
}

}  // namespace mqinspect::python
