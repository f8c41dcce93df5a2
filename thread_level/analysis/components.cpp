#include "thread_level/analysis/components.h"

#include <algorithm>

namespace mqinspect::thread_level {
namespace {

class Search {
public:
    Search(Node nodes, const std::function<std::span<const CallEdge>(Node)>& calls)
        : calls_(calls), number_(nodes, kNone), lowest_(nodes, 0), is_open_(nodes, false) {}

    std::vector<std::vector<Node>> run() {
        for (Node node = 0; node < number_.size(); ++node) {
            if (number_[node] == kNone) visit(node);
        }
        return std::move(components_);
    }

private:
    struct Frame {
        Node node = 0;
        std::uint32_t next = 0;  // call to follow
    };

    void open(Node node) {
        number_[node] = lowest_[node] = count_++;
        is_open_[node] = true;
        stack_.push_back(node);
        frames_.push_back({.node = node});
    }

    void visit(Node start) {
        open(start);
        while (!frames_.empty()) {
            const Node node = frames_.back().node;
            const std::span<const CallEdge> calls = calls_(node);
            if (frames_.back().next == calls.size()) {
                close(node);
                continue;
            }
            const Node callee = calls[frames_.back().next++].to;
            if (number_[callee] == kNone) {
                open(callee);
            } else if (is_open_[callee]) {
                lowest_[node] = std::min(lowest_[node], number_[callee]);
            }
        }
    }

    void close(Node node) {
        frames_.pop_back();
        if (!frames_.empty()) {
            const Node caller = frames_.back().node;
            lowest_[caller] = std::min(lowest_[caller], lowest_[node]);
        }
        if (lowest_[node] != number_[node]) return;
        std::vector<Node>& component = components_.emplace_back();
        while (component.empty() || component.back() != node) {
            component.push_back(stack_.back());
            is_open_[stack_.back()] = false;
            stack_.pop_back();
        }
    }

    const std::function<std::span<const CallEdge>(Node)>& calls_;
    std::vector<std::uint32_t> number_;
    std::vector<std::uint32_t> lowest_;
    std::vector<bool> is_open_;
    std::vector<Node> stack_;
    std::vector<Frame> frames_;
    std::vector<std::vector<Node>> components_;
    std::uint32_t count_ = 0;
};

}  // namespace

std::vector<std::vector<Node>> components_of(
    Node nodes, const std::function<std::span<const CallEdge>(Node)>& calls) {
    return Search(nodes, calls).run();
}

}  // namespace mqinspect::thread_level
