#include "thread_level/analysis/assessment.h"

namespace mqinspect::thread_level {

const char* name_of(Level level) {
    switch (level) {
        case Level::Single:
            return "MPI_THREAD_SINGLE";
        case Level::Funneled:
            return "MPI_THREAD_FUNNELED";
        case Level::Serialized:
            return "MPI_THREAD_SERIALIZED";
        case Level::Multiple:
            break;
    }
    return "MPI_THREAD_MULTIPLE";
}

const char* option_of(Rule rule) {
    switch (rule) {
        case Rule::ThreadLevel:
            return "mpi-thread-level";
        case Rule::ConcurrentCollectives:
            return "mpi-concurrent-collectives";
        case Rule::ConcurrentRequest:
            return "mpi-concurrent-request";
        case Rule::CollectiveOrder:
            return "mpi-collective-order";
        case Rule::MessageOrder:
            return "mpi-message-order";
        case Rule::InvalidNesting:
            return "mpi-invalid-nesting";
        case Rule::InitInParallel:
            return "mpi-init-in-parallel";
        case Rule::Finalize:
            return "mpi-finalize";
        case Rule::ProvidedUntested:
            return "mpi-provided-untested";
        case Rule::LevelTooHigh:
            return "mpi-level-too-high";
        case Rule::ConditionalLock:
            return "mpi-conditional-lock";
        case Rule::StrictSingle:
            break;
    }
    return "mpi-strict-single";
}

}  // namespace mqinspect::thread_level
