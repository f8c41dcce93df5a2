#include "mqs_dll/incoming.h"

namespace mqinspect::dll {
namespace {

// More processes than that on one host are a damaged number.
constexpr std::int32_t kMaxLocalProcesses = 1 << 16;

class Nemesis {
public:
    Nemesis(const Target& target, const Layout& layout, std::uint64_t region)
        : target_(target), layout_(layout), region_(region) {}

    Status queue(std::uint64_t& count) const {
        std::uint64_t queue = 0;
        Status status = pointer(region_, layout_.nemesis_my_recv_queue, queue);
        // Null until MPI_Init has set the channel up.
        if (!ok(status) || queue == 0) return status;
        // The links are relative to the shared segment; zero is the null link.
        std::uint64_t head = 0;
        status = pointer(queue, layout_.nemesis_queue_head, head);
        if (!ok(status)) return status;
        std::uint64_t taken = 0;  // what the receiver has taken over from `head`
        status = pointer(queue, layout_.nemesis_queue_my_head, taken);
        if (head != 0 || taken != 0) ++count;
        return status;
    }

    Status fast_boxes(std::uint64_t& count) const {
        std::int32_t boxes = 0;
        Status status = target_.read_int(at(region_, layout_.nemesis_num_local), boxes);
        if (!ok(status)) return status;
        if (boxes < 0 || boxes > kMaxLocalProcesses) return Status::CorruptData;
        const std::uint64_t mailboxes = at(region_, layout_.nemesis_mailboxes);
        std::uint64_t table = 0;
        status = pointer(mailboxes, layout_.nemesis_mailboxes_in, table);
        const auto width = static_cast<std::uint64_t>(target_.pointer_size());
        for (std::int32_t i = 0; ok(status) && table != 0 && i < boxes; ++i) {
            std::uint64_t box = 0;
            status = target_.read_pointer(table + static_cast<std::uint64_t>(i) * width, box);
            // A process has no box for messages from itself.
            if (!ok(status) || box == 0) continue;
            std::int32_t full = 0;
            status = target_.read_int(at(box, layout_.nemesis_fast_box_flag), full);
            if (ok(status) && full != 0) ++count;
        }
        return status;
    }

private:
    static std::uint64_t at(std::uint64_t base, int offset) {
        return base + static_cast<std::uint64_t>(offset);
    }
    Status pointer(std::uint64_t base, int offset, std::uint64_t& value) const {
        return target_.read_pointer(at(base, offset), value);
    }

    const Target& target_;
    const Layout& layout_;
    std::uint64_t region_;
};

}  // namespace

Status count_incoming(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      std::uint64_t& count) {
    const bool known = layout.nemesis_my_recv_queue >= 0 && layout.nemesis_queue_head >= 0 &&
                       layout.nemesis_queue_my_head >= 0 && layout.nemesis_num_local >= 0 &&
                       layout.nemesis_mailboxes >= 0 && layout.nemesis_mailboxes_in >= 0 &&
                       layout.nemesis_fast_box_flag >= 0;
    if (!known || symbols.nemesis_region == 0) return Status::NoInformation;
    const Nemesis nemesis(target, layout, symbols.nemesis_region);
    std::uint64_t found = 0;
    Status status = nemesis.queue(found);
    if (ok(status)) status = nemesis.fast_boxes(found);
    if (ok(status)) count = found;
    return status;
}

}  // namespace mqinspect::dll
