#include "tracer/log/procedure.h"

#include <atomic>

#include "tracer/log/definitions.h"
#include "tracer/log/memory.h"

namespace mqinspect::tracer {

namespace {

SpinLock lock;
std::atomic<std::uint32_t> ids[kMostProcedures];  ///< plus 1; 0: not yet
std::uint32_t next_id = 0;

}  // namespace

// Ids are given in the order of first use, so that what a program calls has small ones.
std::uint32_t procedure_id(DefinitionsFile& definitions, const Procedure& procedure) {
    std::atomic<std::uint32_t>& place = ids[procedure.subscript];
    if (const std::uint32_t known = place.load(std::memory_order_acquire)) return known - 1;
    const Locked locked(lock);
    if (const std::uint32_t known = place.load(std::memory_order_relaxed)) return known - 1;
    const std::uint32_t id = next_id++;
    {
        Definition definition(definitions, model::DefinitionKind::Procedure);
        definition.number(id).text(procedure.name).length(procedure.parameter_count);
        for (std::size_t i = 0; i < procedure.parameter_count; ++i) {
            const Parameter& parameter = procedure.parameters[i];
            definition.text(parameter.name)
                .number(static_cast<std::int64_t>(parameter.kind))
                .number(static_cast<std::int64_t>(parameter.direction));
        }
    }
    place.store(id + 1, std::memory_order_release);
    return id;
}

}  // namespace mqinspect::tracer
