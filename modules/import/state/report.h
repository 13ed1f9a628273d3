/* report.h - what an import has done. */
#ifndef IMPORT_REPORT_H
#define IMPORT_REPORT_H

#include <jansson.h>
#include <stet/call.h>
#include <stet/module.h>

/* What a run has done. */
struct report {
	int64_t imported, skipped, failed;
	int64_t updated, unchanged, conflicts; /* of items that were found by their source ids */
	int64_t sections_made, sections_skipped, menus_made, menus_changed, menu_items, assignments;
	int64_t comments;
	json_t *by_collection; /* {slug: n} */
	json_t *errors; /* [{title, error}] */
	json_t *notices; /* [{title, notice}]: what is not as the source has it */
	json_t *terms_made, *terms_found; /* {taxonomy: n} */
	json_t *account; /* account.h */
	json_t *rest; /* the part of it that no item has: references that were set later, menus */
	json_t *missing; /* {taxonomy: true}: taxonomies without a definition here */
};

struct run;
void report_begin(struct stet_call *, struct report *);
void report_error(struct report *, const char *title, const char *error);
void report_notice(struct report *, const char *title, const char *notice);
/* Adds n to the member `name` of an object of counts. */
void report_add(json_t *numbers, const char *name, int64_t n);
void report_put(struct stet_json *, const struct run *);
extern const struct stet_member execute_out[];

#endif
