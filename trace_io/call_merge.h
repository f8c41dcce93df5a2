/// The calls of all threads of a process in one stream.
#pragma once

#include <memory>
#include <vector>

#include "model/execution.h"

#include "trace_io/thread_reader.h"

namespace mqinspect::trace_io {

/// By the time of entry; of equal times the lower thread first.
class CallMerge : public model::CallStream {
public:
    /// Borrows the source.
    explicit CallMerge(const ProcessSource& source);
    bool next(model::RecordedCall& call) override;

private:
    struct Head {
        Head(const ProcessSource& source, std::size_t thread) : reader(source, thread) {}
        ThreadReader reader;
        model::RecordedCall call;
    };
    void advance(std::size_t at);

    std::vector<std::unique_ptr<Head>> heads_;  ///< of threads that have calls left
    std::size_t given_ = 0;                     ///< whose call was given out last
    bool started_ = false;
};

}  // namespace mqinspect::trace_io
