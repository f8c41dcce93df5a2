// Whether the MPI library can be looked into.
#include <dlfcn.h>

#include <fmt/format.h>

#include "inspector/doctor/checks.h"
#include "inspector/doctor/child.h"
#include "inspector/doctor/mpi.h"
#include "inspector/job/job.h"
#include "inspector/mqs_host/dll_search.h"
#include "inspector/mqs_host/mqs_host.h"
#include "inspector/snapshot/observer.h"
#include "inspector/target/image.h"
#include "inspector/target/process_view.h"

namespace mqinspect::doctor {

namespace {

/// One process as a job of its own.
job::Job job_of(pid_t pid) {
    job::JobProcess process;
    process.pid = pid;
    job::Job job;
    job.processes.push_back(process);
    return job;
}

std::string joined(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "; "));
}

/// What a look at the process shows, with the means of any other look. `runs`: it is a
/// rank; else it has loaded the library and nothing more.
Check check_queues(pid_t pid, bool runs, const std::string& library, const Subject& subject) {
    Check check{State::Fails, "message queues", "", ""};
    target::ImageStore images(target::default_image_cache());
    snapshot::ObserverOptions options;
    options.dll = subject.dll;
    options.types = subject.types;
    snapshot::Observer observer(job_of(pid), images, options);
    const auto prepared = observer.prepare();
    if (!prepared) {
        check.finding = prepared.error().message;
        return check;
    }
    const model::JobSnapshot seen = observer.observe();
    std::vector<std::string> problems = seen.problems;
    if (!seen.ranks.front().problem.empty()) problems.push_back(seen.ranks.front().problem);
    const std::string what = fmt::format("{} in {}", seen.mpi, library);
    if (problems.empty()) {
        check.state = State::Works;
        check.finding = fmt::format("of {} can be read, by {}", what, seen.dll);
        if (!seen.types.empty()) check.finding += ", with types of " + joined(seen.types);
        return check;
    }
    const bool partly = seen.ranks.front().queues_known;
    if (partly && !runs) {
        check.state = State::Limited;
        check.finding = fmt::format(
            "of {} are read by {}; more can be said of a job that runs", what, seen.dll);
        check.advice = "name the pid of a rank";
        return check;
    }
    check.state = partly ? State::Limited : State::Fails;
    check.finding = partly ? fmt::format("of {} are known in part: {}", what, joined(problems))
                           : joined(problems);
    check.advice =
        "calls, places and collective operations are told all the same; docs/mqs-dll.md "
        "has what is visible on which build";
    return check;
}

Check check_lines(const std::string& program) {
    const auto image = target::Image::open(program, program);
    if (!image) return {State::Fails, "source lines", image.error().message, ""};
    if ((*image)->has_debug_info()) {
        return {State::Works, "source lines", "of " + program + " can be shown", ""};
    }
    return {State::Limited,
            "source lines",
            fmt::format("of {} are not known: it has no debug information", program),
            "compile it with -g, which changes nothing else"};
}

std::vector<Check> check_rank(const Subject& subject) {
    target::ImageStore images("");
    const auto view = target::ProcessView::create(subject.pid, images);
    if (!view) return {{State::Fails, "the process", view.error().message, ""}};
    const target::Module* library = view->mpi_module();
    if (library == nullptr) {
        return {{State::Fails,
                 "the process",
                 fmt::format("process {} has no MPI library", subject.pid),
                 "name the pid of a rank"}};
    }
    return {check_queues(subject.pid, true, library->image->path(), subject),
            check_lines(view->modules().front().image->path())};
}

}  // namespace

Check check_dll(const Subject& subject) {
    Check check{State::Fails, "debugger DLL", "", ""};
    const auto path = subject.dll.empty() ? mqs_host::bundled_dll() : Result(subject.dll);
    if (!path) {
        check.finding = path.error().message;
        return check;
    }
    const auto report = mqs_host::read_queues(*path, {}, {});
    if (!report) {
        check.finding = report.error().message;
        return check;
    }
    check.state = State::Works;
    check.finding = fmt::format("{} is \"{}\"", *path, report->dll_version);
    return check;
}

std::vector<Check> check_mpi(const Subject& subject) {
    if (subject.pid > 0) return check_rank(subject);
    const bool by_program = !subject.program.empty();
    const auto library = by_program ? library_of_program(subject.program) : library_of_path();
    if (!library) {
        return {{State::Fails,
                 "MPI library",
                 library.error().message,
                 "name a program, or the pid of a rank"}};
    }
    if (library->empty()) {
        return {{State::Limited,
                 "message queues",
                 subject.program + " has the MPI library in itself",
                 "name the pid of a rank of it"},
                check_lines(subject.program)};
    }
    const Child child([&library] { dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL); });
    std::vector<Check> checks;
    checks.push_back(child.pid() > 0 ? check_queues(child.pid(), false, *library, subject)
                                     : Check{State::Fails,
                                             "message queues",
                                             *library + " cannot be loaded to be looked at",
                                             "name the pid of a rank"});
    if (by_program) checks.push_back(check_lines(subject.program));
    return checks;
}

}  // namespace mqinspect::doctor
