#include "inspector/session/core_session.h"

#include <chrono>
#include <utility>

#include "inspector/job/core_job.h"

namespace mqinspect::session {

Result<Findings> look_at_cores(const std::filesystem::path& executable,
                               std::span<const std::filesystem::path> cores,
                               snapshot::ObserverOptions options) {
    using std::chrono::steady_clock;
    const auto start = steady_clock::now();
    target::ImageStore images(target::default_image_cache());
    job::CoreJob job = TRY(job::find_core_job(executable, cores, images));
    snapshot::Observer observer(std::move(job), images, std::move(options));
    TRY(observer.prepare());
    Findings findings;
    findings.snapshot = observer.observe();
    findings.snapshot.total_ms =
        std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
    findings.verdict = analysis::analyze(findings.snapshot);
    return findings;
}

}  // namespace mqinspect::session
