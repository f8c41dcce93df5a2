#include "inspector/conformance/tampering.h"

#include <span>

namespace mqinspect::conformance {

namespace {

constexpr std::size_t kMostCommunicators = 1000;
constexpr std::size_t kNameBytes = 128;  // MPI_MAX_OBJECT_NAME

}  // namespace

template <class T>
std::optional<T> CommunicatorList::value_at(std::uint64_t address) const {
    T value{};
    if (!debugger_->read(*process_, address, std::as_writable_bytes(std::span{&value, 1}))) {
        return std::nullopt;
    }
    return value;
}

template <class T>
void CommunicatorList::store(std::uint64_t address, const T& value) {
    for (const std::byte byte : std::as_bytes(std::span{&value, 1}))
        process_->tampered[address++] = byte;
}

std::optional<CommunicatorList> CommunicatorList::find(const Debugger& debugger,
                                                       DebuggedProcess& process) {
    CommunicatorList list(debugger, process);
    if (!list.read_list() || list.size() < 2) return std::nullopt;
    return list;
}

bool CommunicatorList::read_list() {
    const std::size_t image = process_->image->image;
    const std::uint64_t variable = debugger_->symbol(image, "MPIR_All_communicators");
    const long head = debugger_->offset(image, "MPIR_Comm_list", "head");
    const long sequence = debugger_->offset(image, "MPIR_Comm_list", "sequence_number");
    const long next = debugger_->offset(image, "MPIR_Comm", "comm_next");
    const long name = debugger_->offset(image, "MPIR_Comm", "name");
    const long size = debugger_->offset(image, "MPIR_Comm", "remote_size");
    const long local_size = debugger_->offset(image, "MPIR_Comm", "local_size");
    if (variable == 0 || head < 0 || sequence < 0 || next < 0 || name < 0 || size < 0 ||
        local_size < 0) {
        return false;
    }
    head_ = variable + static_cast<std::uint64_t>(head);
    sequence_ = variable + static_cast<std::uint64_t>(sequence);
    next_offset_ = static_cast<std::uint64_t>(next);
    name_offset_ = static_cast<std::uint64_t>(name);
    size_offset_ = static_cast<std::uint64_t>(size);
    local_size_offset_ = static_cast<std::uint64_t>(local_size);
    for (auto at = value_at<std::uint64_t>(head_); at && *at != 0;
         at = value_at<std::uint64_t>(*at + next_offset_)) {
        addresses_.push_back(*at);
        if (addresses_.size() > kMostCommunicators) return false;
    }
    return true;
}

void CommunicatorList::unlink(std::size_t index) {
    const std::uint64_t next = index + 1 < addresses_.size() ? addresses_[index + 1] : 0;
    store(index == 0 ? head_ : addresses_[index - 1] + next_offset_, next);
    addresses_.erase(addresses_.begin() + static_cast<long>(index));
    store(sequence_, value_at<std::int32_t>(sequence_).value_or(0) + 1);
}

void CommunicatorList::close() {
    store(addresses_.back() + next_offset_, addresses_.front());
}

void CommunicatorList::lengthen_names() {
    for (const std::uint64_t address : addresses_) {
        for (std::size_t i = 0; i < kNameBytes; ++i)
            store(address + name_offset_ + i, 'n');
    }
}

void CommunicatorList::set_sizes(std::int32_t size) {
    for (const std::uint64_t address : addresses_) {
        store(address + size_offset_, size);
        store(address + local_size_offset_, size);
    }
}

}  // namespace mqinspect::conformance
