/*
 * jsonread.h - a fast JSON reader, which runs before Jansson. Jansson needs some 175 instructions
 * for a byte: a third of a create and half of an update were parsing. Of other libraries, yyjson is
 * not in Debian 12, simdjson is C++, and yajl is hardly maintained.
 */
#ifndef CORE_CALL_JSONREAD_H
#define CORE_CALL_JSONREAD_H

#include <jansson.h>
#include <stddef.h>

/* Reads common JSON several times as fast as Jansson. Returns a new value, equal to that of
 * json_loadb with JSON_DECODE_ANY and JSON_REJECT_DUPLICATES. Returns NULL for errors, nesting over
 * `depth` levels, and rare input (numbers of 19 digits and more, surrogates, U+0000). Then use
 * Jansson. */
json_t *json_read(const char *, size_t len, int depth);

#endif
