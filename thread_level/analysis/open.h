/// What a walk has still to look at.
#pragma once

#include <algorithm>
#include <vector>

namespace mqinspect::thread_level {

/// What is yet to be looked at, each once.
template <class Item>
class Open {
public:
    explicit Open(const Item& first) : open_({first}), seen_(open_) {}

    bool is_empty() const { return open_.empty(); }
    Item take() {
        const Item item = open_.back();
        open_.pop_back();
        return item;
    }
    void add(const Item& item) {
        if (std::ranges::find(seen_, item) != seen_.end()) return;
        seen_.push_back(item);
        open_.push_back(item);
    }

private:
    std::vector<Item> open_;
    std::vector<Item> seen_;
};

}  // namespace mqinspect::thread_level
