#include "tracer/stack/caller_tree.h"

#include <cstring>

namespace mqinspect::tracer {

namespace {

bool is_on(const Frame& frame, const std::uint8_t* stack, std::uint64_t bytes) {
    if (bytes < sizeof frame.address || frame.offset > bytes - sizeof frame.address) return false;
    std::uint64_t address = 0;
    std::memcpy(&address, stack + frame.offset, sizeof address);
    return address == frame.address;
}

bool are_equal(const Frame& left, const Frame& right) {
    return left.offset == right.offset && left.address == right.address;
}

}  // namespace

bool CallerTree::Node::matches(const std::uint8_t* stack, std::uint64_t bytes) const {
    for (std::size_t i = 0; i < count; ++i)
        if (!is_on(frames[i], stack, bytes)) return false;
    return true;
}

Site* CallerTree::find(const std::uint8_t* stack, std::uint64_t bytes) const {
    const Node* node = &root_;
    for (;;) {
        if (node->matches(stack, bytes)) {
            if (node->first == nullptr) return node->site;
            node = node->first;
            continue;
        }
        while (node->next == nullptr) {
            node = node->parent;
            if (node == nullptr || node->site != nullptr)
                return node == nullptr ? nullptr : node->site;
        }
        node = node->next;
    }
}

/// What is behind the first `count` frames becomes a child.
bool CallerTree::split(Arena& arena, Node& node, std::size_t count) {
    Node* const rest = arena.make<Node>();
    if (rest == nullptr) return false;
    *rest = node;
    rest->next = nullptr;
    rest->parent = &node;
    rest->frames += count;
    rest->count -= count;
    for (Node* child = rest->first; child != nullptr; child = child->next)
        child->parent = rest;
    node.first = rest;
    node.site = nullptr;
    node.count = count;
    return true;
}

bool CallerTree::add(Arena& arena, Site& site) {
    const Frame* frames = site.frames;
    std::size_t left = site.frame_count;
    Node* node = &root_;
    while (left > 0) {
        Node* child = node->first;
        while (child != nullptr && !are_equal(*child->frames, *frames))
            child = child->next;
        if (child == nullptr) {
            child = arena.make<Node>();
            if (child == nullptr) return false;
            child->next = node->first;
            child->parent = node;
            child->frames = frames;
            child->count = left;
            node->first = child;
        }
        std::size_t common = 1;
        while (common < left && common < child->count &&
               are_equal(child->frames[common], frames[common]))
            ++common;
        if (common < child->count && !split(arena, *child, common)) return false;
        frames += common;
        left -= common;
        node = child;
    }
    node->site = &site;
    return true;
}

}  // namespace mqinspect::tracer
