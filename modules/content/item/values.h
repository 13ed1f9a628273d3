/* values.h - field values of a request, validated. */
#ifndef CONTENT_VALUES_H
#define CONTENT_VALUES_H

#include <stet/content.h>

struct values {
	const struct stet_collection *collection;
	const json_t **value; /* by field; NULL and JSON null are SQL NULL */
	bool *given; /* by field: the write sets it */
};
/* Values that an item has, which stay valid whatever has changed since: its newest values and its
 * row's. For a new translation: those of the source. NULL: none. may_lack: the item is a draft, and
 * may lack values of required fields. */
struct held {
	const json_t *newest, *live;
	bool may_lack;
};
/* Validates the values in `data`. `create`: fills in defaults and requires the required fields. */
STET_MUST enum stet_status values_check(struct stet_call *, const struct stet_collection *,
    const json_t *data, bool create, struct held, struct values *);
/* Returns true if a required field may not have this value: none, null, or an empty text. */
bool values_is_empty(const json_t *);

#endif
