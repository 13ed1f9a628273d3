/*
 * markup.h - Portable Text as WordPress block markup: the inverse of convert/. A block is written
 * as the block of the core that convert_text reads back to an equal value. What no block of the
 * core can say is written as the block stet/block, with the value in its attributes and, for those
 * who do not know that block, the nearest markup in it.
 */
#ifndef IMPORT_MARKUP_H
#define IMPORT_MARKUP_H

#include <jansson.h>
#include <stdint.h>

struct text;

struct markup_rules {
	/* The number in the export of a file by its id here; 0: it is not in the export. The
	 * function may be NULL. */
	int64_t (*number)(void *arg, const char *media);
	void *arg;
	/* Stands before addresses of files that begin with "/"; NULL: they stay as they are. */
	const char *base;
};

struct markup_report {
	int64_t kept; /* units that are written as stet/block */
	int64_t changed; /* units that read back as another value; their text is there */
};

/*
 * Appends the markup of an array of blocks. Equal means: without regard to _key, to blanks that
 * HTML joins, to spans that could be one, and to members that are empty. Time is linear in the
 * value, times the depth of columns and covers in each other. `rules` and `report` may be NULL; the
 * report is added to.
 */
void markup_write(struct text *out, const json_t *blocks, const struct markup_rules *rules,
    struct markup_report *report);

#endif
