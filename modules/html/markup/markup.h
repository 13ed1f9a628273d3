/*
 * markup.h - writes Portable Text as WordPress block markup: the inverse of convert/. A block
 * becomes a block of WordPress that convert_text reads back to an equal value. If there is none, it
 * becomes a stet/block with the value in its attributes. Its content is then the closest markup,
 * for readers that do not know stet/block.
 */
#ifndef HTML_MARKUP_H
#define HTML_MARKUP_H

#include <jansson.h>
#include <stdint.h>

struct text;

struct markup_rules {
	/* Returns the number of a media item in the export; 0: it is not in the export. The pointer
	 * may be NULL. */
	int64_t (*number)(void *arg, const char *media);
	void *arg;
	/* Prefix for addresses of files that begin with "/"; NULL: none. */
	const char *base;
};

struct markup_report {
	int64_t kept; /* units that are written as stet/block */
	int64_t changed; /* units that read back as a different value, with all their text */
};

/*
 * Appends the markup of an array of blocks. Values are equal if they differ only in _key, in blanks
 * that HTML collapses, and in empty members. Time is linear in the value, times the nesting of
 * columns and covers. `rules` and `report` may be NULL; the report is added to.
 */
void markup_write(struct text *out, const json_t *blocks, const struct markup_rules *rules,
    struct markup_report *report);

#endif
