/*
 * convert.h - converts texts of posts (block markup, classic HTML) to Portable Text. No visible
 * text, no link and no picture is lost; convert_check proves that for each text.
 */
#ifndef HTML_CONVERT_H
#define HTML_CONVERT_H

#include <stet/call.h>
#include <stet/portabletext.h>

struct convert_rules {
	/* Returns the id of the media item for an attachment of the source, or NULL if it is not
	 * imported (yet). The pointer may be NULL. */
	const char *(*media)(void *arg, int64_t source_id);
	void *arg;
};

struct convert_report {
	int64_t blocks; /* top-level blocks of the value */
	int64_t unknown; /* source blocks without a handler, which became htmlBlocks */
	/* references to reusable blocks, left out: those are imported as sections */
	int64_t references;
	int64_t
	    flattened; /* blocks nested too deep: their content moves to the block around them */
};

/*
 * Converts the text of an entry to an array of Portable Text, a new reference. The same text gives
 * the same bytes. Only an error uses memory of the call, so that one call may convert a million
 * texts. Time and memory are linear in the text. `rules` and `report` may be NULL; the report is
 * set, not added to.
 */
STET_MUST enum stet_status convert_text(struct stet_call *, const char *text, size_t len,
    const struct convert_rules *, struct convert_report *, json_t **out);

/* Returns the visible texts, links and pictures of a text that its converted value lacks: an array
 * of short texts, a new reference; NULL if nothing is lost. */
json_t *convert_check(const char *text, size_t len, const json_t *blocks);

/* Converts and checks, in two thirds of the time of both calls. Sets *out and *lost to new
 * references; *lost is NULL if nothing is lost. Counts what the text shows, and what of it the
 * value lacks. */
void convert_checked(const char *text, size_t len, json_t **out, json_t **lost,
    struct stet_html_counts *shown, struct stet_html_counts *missing);

#endif
