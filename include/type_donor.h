/* Type donors: types for an MPI library that was stripped of its own.
 *
 * A donor is a file with debug information, compiled with -g against the development
 * headers of an MPI library. It is never run or loaded; mqinspect reads its types as
 * if they were the library's. That is only right for the library that the headers
 * belong to, so each donor holds what must be true of it, in the section
 * ".mqi_donor": an array of the struct below, without pointers, so that it
 * reads the same in an executable, a shared and a relocatable object.
 *
 *     #include "type_donor.h"
 *     #include <the library's internal headers>
 *     MQI_DONOR_CHECKS = {
 *         MQI_TEXT_IS(some_version_string, "4.1.4"),
 *         MQI_SIZE_IS(some_variable, sizeof(its_type)),
 *         MQI_WORD_IS(some_class_record, offsetof(record, size), sizeof(a_type)),
 *     };
 *     its_type* any_name;      // a use of each type that is to be in the file
 *
 * Compile with -g -fno-eliminate-unused-debug-types. A donor without checks is of no
 * use: nothing ties it to a library.
 */
#ifndef MQI_TYPE_DONOR_H
#define MQI_TYPE_DONOR_H

#include <stdint.h>

enum {
    mqi_donor_text = 1, /* the symbol's memory holds `text` and a NUL */
    mqi_donor_word = 2, /* the 8 bytes at symbol + offset are `value` */
    mqi_donor_size = 3  /* the symbol table gives the symbol `value` bytes */
};

typedef struct {
    uint64_t kind;
    uint64_t offset;
    uint64_t value;
    char symbol[72]; /* a symbol of the library, NUL at the end */
    char text[64];
} mqi_donor_check;

#define MQI_DONOR_CHECKS \
    const mqi_donor_check mqi_donor_checks[] __attribute__((used, section(".mqi_donor")))
#define MQI_TEXT_IS(name, expected) \
    { mqi_donor_text, 0, 0, #name, expected }
#define MQI_WORD_IS(name, at, expected) \
    { mqi_donor_word, at, expected, #name, "" }
#define MQI_SIZE_IS(name, expected) \
    { mqi_donor_size, 0, expected, #name, "" }

#endif
