/// Signatures of functions as texts, for calls through pointers: a letter for each type, the result
/// first. A call's and a function's need not be equal.
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
/// The same of a reference.
inline constexpr char kReference = 'R';
/// `void*` of C and C++: none of the others, but what may point to anything. Functions of other
/// pointers have to be cast to be called by it.
inline constexpr char kVoidPointer = 'V';
inline constexpr std::size_t kPointeeLetters = 3;
/// The object of a member function, of any class.
inline constexpr char kObject = 'o';
/// The same, of the class that the letters behind it stand for; those of the classes that this is
/// derived from follow, and kObjectEnd.
inline constexpr char kObjectOf = 'O';
inline constexpr char kObjectEnd = ';';

/// Letters for a name. Few different ones look alike, which is as good as not knowing one.
inline std::string letters_of(std::string_view name) {
    constexpr char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    constexpr unsigned bits = 6;
    std::string text;
    std::uint64_t hash = hash_of(name);
    for (std::size_t i = 0; i < kPointeeLetters; ++i, hash >>= bits)
        text += letters[hash & 63U];
    return text;
}

/// To what has a name.
inline std::string pointer_to(std::string_view name) {
    return kPointer + letters_of(name);
}

inline std::string reference_to(std::string_view name) {
    return kReference + letters_of(name);
}

/// How many letters tell more of the one at `at`.
inline std::size_t letters_behind(std::string_view signature, std::size_t at) {
    if (signature[at] == kPointer || signature[at] == kReference) return kPointeeLetters;
    if (signature[at] != kObjectOf) return 0;
    const std::size_t end = signature.find(kObjectEnd, at);
    return (end == std::string_view::npos ? signature.size() - 1 : end) - at;
}

/// What a letter stands for if nothing more is known.
inline char plain_letter(char letter) {
    if (letter == kPointer || letter == kReference || letter == kVoidPointer) return kAnyPointer;
    return letter == kObjectOf ? kObject : letter;
}

/// Without what pointers point to: equal for all that may be compatible.
inline std::string shape_of_signature(std::string_view signature) {
    std::string shape;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        shape += plain_letter(signature[i]);
        i += letters_behind(signature, i);
    }
    return shape;
}

/// Whether it says what something points to, or that it is `void*`.
inline bool tells_pointees(std::string_view signature) {
    for (std::size_t i = 0; i < signature.size(); ++i) {
        if (signature[i] == kPointer || signature[i] == kReference || signature[i] == kVoidPointer)
            return true;
        i += letters_behind(signature, i);
    }
    return false;
}

/// Of the letters of two classes and those that they are derived from: one of the two is, or is
/// derived from, the other.
inline bool are_related(std::string_view left, std::string_view right) {
    const auto is_among = [](std::string_view one, std::string_view classes) {
        for (std::size_t i = 0; i + kPointeeLetters <= classes.size(); i += kPointeeLetters)
            if (classes.substr(i, kPointeeLetters) == one) return true;
        return false;
    };
    return is_among(left.substr(0, kPointeeLetters), right) ||
           is_among(right.substr(0, kPointeeLetters), left);
}

/// What a call hands over, or gets, by the one letter and those behind it may be what a function
/// has by the other.
inline bool may_stand_for(std::string_view of_call, std::string_view of_function) {
    const char called = of_call.front();
    const char has = of_function.front();
    if (plain_letter(called) != plain_letter(has)) return false;
    if (called == kObjectOf && has == kObjectOf)
        return are_related(of_call.substr(1), of_function.substr(1));
    if (called == kAnyPointer || has == kAnyPointer || called == kObject || has == kObject)
        return true;
    return of_call == of_function;
}

/// A call of the one signature may be of a function of the other.
inline bool are_compatible(std::string_view of_call, std::string_view of_function) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < of_call.size() && j < of_function.size()) {
        const std::size_t here = 1 + letters_behind(of_call, i);
        const std::size_t there = 1 + letters_behind(of_function, j);
        if (!may_stand_for(of_call.substr(i, here), of_function.substr(j, there))) return false;
        i += here;
        j += there;
    }
    return i >= of_call.size() && j >= of_function.size();
}

}  // namespace mqinspect::thread_level
