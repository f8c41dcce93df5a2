/// Signatures of functions as texts, for calls through pointers: a letter for each type, the result
/// first. A caller's and a callee's need not be equal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "thread_level/facts/hash.h"

namespace mqinspect::thread_level {

/// May point to anything.
inline constexpr char kAnyPointer = 'p';
/// Points to what the letters behind it stand for.
inline constexpr char kPointer = 'P';
inline constexpr std::size_t kPointeeLetters = 3;
/// The object of a member function.
inline constexpr char kObject = 'o';

/// To what has a name. Few different ones look alike, which is as good as not knowing one.
inline std::string pointer_to(std::string_view name) {
    constexpr char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    constexpr unsigned bits = 6;
    std::string text(1, kPointer);
    std::uint64_t hash = hash_of(name);
    for (std::size_t i = 0; i < kPointeeLetters; ++i, hash >>= bits)
        text += letters[hash & 63U];
    return text;
}

/// Without what pointers point to: equal for all that may be compatible.
inline std::string shape_of_signature(std::string_view signature) {
    std::string shape;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const bool points = signature[i] == kPointer;
        shape += points ? kAnyPointer : signature[i];
        if (points) i += kPointeeLetters;
    }
    return shape;
}

/// A call of the one signature may be of a function of the other.
inline bool are_compatible(std::string_view left, std::string_view right) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < left.size() && j < right.size()) {
        const bool known = left[i] == kPointer && right[j] == kPointer;
        const auto letter = [](char each) { return each == kPointer ? kAnyPointer : each; };
        if (letter(left[i]) != letter(right[j])) return false;
        const std::size_t here = left[i] == kPointer ? kPointeeLetters : 0;
        const std::size_t there = right[j] == kPointer ? kPointeeLetters : 0;
        if (known && left.substr(i + 1, here) != right.substr(j + 1, there)) return false;
        i += 1 + here;
        j += 1 + there;
    }
    return i >= left.size() && j >= right.size();
}

}  // namespace mqinspect::thread_level
