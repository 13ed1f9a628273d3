/* json.h - JSON: a parser with limits, and a writer without blanks. */
#ifndef CORE_CALL_JSON_H
#define CORE_CALL_JSON_H

#include "call/call.h"

void json_free(struct stet_json *);
/* Parses with Jansson: no duplicate keys, depth at most 100. On error returns NULL with *why and
 * the byte *position. */
json_t *json_parse(const char *, size_t, const char **why, size_t *position);
/* Like json_parse, but strings may contain U+0000. The caller must pass the value through
 * stet_json_check_nul before anything reads the strings as C strings. */
json_t *json_parse_nul(const char *, size_t, const char **why, size_t *position);
/* Returns an upper estimate of the memory in bytes that the parsed text takes. */
size_t json_weight(const char *, size_t);
/* Writes the shortest decimal that reads back as the same double. `out` has room for 32 bytes. */
void json_shortest(double, char *out);
/* Returns a value as text without blanks, reals in shortest form. The caller frees it. */
char *json_text(const json_t *);

#endif
