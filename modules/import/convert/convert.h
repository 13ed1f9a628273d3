/*
 * convert.h - texts of posts as Portable Text: block markup and classic HTML. No visible text, no
 * link and no picture is lost, and convert_check proves that for each text.
 */
#ifndef IMPORT_CONVERT_H
#define IMPORT_CONVERT_H

#include <stet/call.h>

struct convert_rules {
	/* The id, on this site, of an attachment of the source by its number there. NULL: it is not
	 * here, or not yet. The function may be NULL. */
	const char *(*media)(void *arg, int64_t source_id);
	void *arg;
};

struct convert_report {
	int64_t blocks; /* of the value, at its top */
	int64_t unknown; /* blocks of the source that became htmlBlocks because nobody knows them */
	int64_t references; /* to reusable blocks: left out, their text is a section */
	int64_t
	    flattened; /* blocks that are nested too deep: their content stands one level higher */
};

/*
 * The text of an entry as an array of Portable Text, a new reference. The same text gives the same
 * bytes. It uses memory of the call for nothing but an error, so that one call may convert a
 * million texts. Time and memory are linear in the text. `rules` and `report` may be NULL; the
 * report is set, not added to.
 */
STET_MUST enum stet_status convert_text(struct stet_call *, const char *text, size_t len,
    const struct convert_rules *, struct convert_report *, json_t **out);

/* What of the visible text, the links and the pictures of a text is not in its converted value: an
 * array of short texts, a new reference; NULL if nothing is lost. */
json_t *convert_check(const char *text, size_t len, const json_t *blocks);

/* Both at once, which takes two thirds of the time: new references, *lost NULL if nothing is. */
void convert_checked(const char *text, size_t len, json_t **out, json_t **lost);

#endif
