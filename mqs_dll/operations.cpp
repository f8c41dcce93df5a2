#include "mqs_dll/operations.h"

namespace mqinspect::dll {
namespace {

std::size_t group_of(const Operation& operation) {
    return std::size_t{operation.communicator} * 2 + (operation.collective ? 1 : 0);
}

}  // namespace

Status OperationQueue::group(std::size_t communicators) {
    const std::size_t groups = communicators * 2;
    Array<std::uint32_t> next;
    Array<Operation> sorted;
    if (!starts_.resize(groups + 1) || !next.resize(groups) || !sorted.resize(operations_.size())) {
        return Status::OutOfMemory;
    }
    for (const Operation& operation : operations_)
        ++starts_[group_of(operation) + 1];
    for (std::size_t i = 0; i < groups; ++i) {
        starts_[i + 1] += starts_[i];
        next[i] = starts_[i];
    }
    for (const Operation& operation : operations_)
        sorted[next[group_of(operation)]++] = operation;
    operations_ = std::move(sorted);
    return Status::Ok;
}

bool OperationQueue::hide(std::size_t communicator, std::size_t communicators) {
    if (hidden_.size() < communicators && !hidden_.resize(communicators)) return false;
    hidden_[communicator] = true;
    return true;
}

Status OperationQueue::status_of(std::size_t communicator) const {
    if (!ok(status) || communicator >= hidden_.size() || !hidden_[communicator]) return status;
    return Status::NoInformation;
}

const Operation* OperationQueue::begin(std::size_t communicator) const {
    return starts_.empty() ? operations_.end() : operations_.begin() + starts_[communicator * 2];
}

const Operation* OperationQueue::end(std::size_t communicator) const {
    return starts_.empty() ? operations_.end()
                           : operations_.begin() + starts_[communicator * 2 + 2];
}

}  // namespace mqinspect::dll
