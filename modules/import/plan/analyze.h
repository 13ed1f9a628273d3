/* analyze.h - what is in a source, counted before anything is imported. */
#ifndef IMPORT_ANALYZE_H
#define IMPORT_ANALYZE_H

#include "read/wxr.h"
#include <jansson.h>
#include <stet/module.h>

struct analysis;
struct analysis *analysis_new(struct stet_call *);
/* Returns a sink that counts what a reader finds. */
struct wxr_sink analysis_sink(struct analysis *);
/* These four take counts that a source has made itself: items of a type, and whether some have
 * featured images; a custom field, with one of its values or NULL; posts of an author; terms. */
void analysis_type(struct analysis *, const char *name, int64_t count, bool pictures);
void analysis_field(struct analysis *, const char *key, int64_t count, const char *value);
void analysis_posts(struct analysis *, const char *login, int64_t count);
void analysis_terms(struct analysis *, int64_t categories, int64_t tags);
/* Writes the members from `site` to `notices`, and `truncated`, into the open object. */
STET_MUST enum stet_status analysis_put(struct analysis *, struct stet_json *);
/* The collections that analysis_put has suggested, {type: collection}. */
const json_t *analysis_suggested(const struct analysis *);

extern const struct stet_member analyze_out[];
stet_handler import_analyze;

#endif
