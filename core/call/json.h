/* json.h - JSON as text: read with limits, written without blanks. */
#ifndef CORE_CALL_JSON_H
#define CORE_CALL_JSON_H

#include "call/call.h"

void json_free(struct stet_json *);
/* Jansson's parser with our limits: no duplicate keys, depth at most 100. NULL: *why, at *position.
 */
json_t *json_parse(const char *, size_t, const char **why, size_t *position);
/* The same, but texts may hold U+0000: stet_json_check_nul comes before anything that reads them.
 */
json_t *json_parse_nul(const char *, size_t, const char **why, size_t *position);
/* Shortest decimal that reads back as the same double, as JSON; out has room for 32. */
void json_shortest(double, char *out);
/* A value as text without blanks, reals as short as can be; to be freed. */
char *json_text(const json_t *);

#endif
