#include "mqs_dll/layout_rows.h"

namespace mqinspect::dll {

mqs_type* TypeSource::find(const char* name) {
    if (name == nullptr) return nullptr;
    return callbacks_.mqs_find_type_fp(image_, writable(name), mqs_lang_c);
}

int TypeSource::offset(mqs_type* type, const char* field) {
    return callbacks_.mqs_field_offset_fp(type, writable(field));
}

int TypeSource::bytes(mqs_type* type) const {
    if (callbacks_.mqs_sizeof_fp == nullptr) return -1;
    const int size = callbacks_.mqs_sizeof_fp(type);
    return size > 0 && size <= kLargestOffset ? size : -1;
}

bool TypeSource::has_field(const char* type, const char* field) {
    mqs_type* handle = find(type);
    return handle != nullptr && offset(handle, field) >= 0;
}

char* TypeSource::writable(const char* name) {
    TextWriter(name_, sizeof name_).append(name);
    return name_;
}

void add_missing(TextWriter& missing, const char* type, const char* field) {
    if (!missing.empty()) missing.append(", ");
    missing.append(type);
    if (field != nullptr) missing.append(".").append(field);
}

}  // namespace mqinspect::dll
