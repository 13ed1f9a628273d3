/*
 * portabletext.h - the addresses that Portable Text may have; and the service of the module html:
 * Portable Text from the HTML of posts, and back. For importers, for what is pasted, and for feeds.
 */
#ifndef STET_PORTABLETEXT_H
#define STET_PORTABLETEXT_H

#include <stet/call.h>

/* Returns false if a member of an object in Portable Text holds an address that a page must not
 * have there. The members href, link, url, src, poster and backgroundImage hold addresses: those of
 * pictures, files, films and sounds (by _type), and of an "asset", must be stet_is_source, others
 * stet_is_link. "" is good. `holder`: the name of the member that holds the object, or NULL. */
STET_API bool stet_block_address_good(
    const json_t *object, const char *holder, const char *member, const char *text);

/* The link of a picture in a gallery of a source that names its pictures by numbers alone, and
 * links them to their files: this address, which WordPress has for an attachment, and the number.
 */
#define STET_HTML_ATTACHMENT "/?attachment_id="

/* Options of `write`, and its counters. */
struct stet_html_write {
	/* Prefix for addresses of files that begin with "/"; NULL: none. */
	const char *base;
	/* Returns the number that a media item has in the target system; 0: none. The pointer may
	 * be NULL. */
	int64_t (*number)(void *arg, const char *media);
	void *arg;
	/* Counters, which `write` increases: units that were written as stet/block, and units that
	 * are read back as a different value, with all their text. */
	int64_t kept, changed;
	/* New fields go here, and nowhere else. */
};

/* What a text shows: characters without blanks, links, pictures, and players (films, sounds and
 * other pages inside it). */
struct stet_html_counts {
	int64_t characters, links, pictures, players;
	/* New fields go here, and nowhere else. */
};

#define STET_HTML_1 "html/1"
struct stet_html_1 {
	/*
	 * Converts the text of a post (block markup of WordPress, or classic HTML) to an array of
	 * Portable Text, a new reference. Accepts every text: no visible text, no link and no
	 * picture is lost. The same text gives the same value. Time and memory are linear in the
	 * text. Any thread may call it.
	 *
	 * `lost`, unless NULL: also compares the value with the text. *lost is then an array of
	 * short texts that the value lacks, a new reference, or NULL if nothing is lost.
	 */
	json_t *(*read)(const char *text, size_t len, json_t **lost);
	/*
	 * Writes an array of Portable Text as block markup that `read` converts back to an equal
	 * value: one that differs only in _key, in blanks that HTML collapses, and in empty
	 * members. A value that no block of WordPress can hold becomes a stet/block, with the
	 * value in its attributes. Owned by the call. `how` may be NULL; `size` is the size of
	 * *how in the caller's headers.
	 */
	const char *(*write)(
	    struct stet_call *, const json_t *blocks, struct stet_html_write *how, size_t size);
	/*
	 * Like `read` with `lost`. Counts what the text shows, and how much of that the value
	 * lacks. `size` is the size of both structures in the caller's headers.
	 */
	json_t *(*read_counted)(const char *text, size_t len, json_t **lost,
	    struct stet_html_counts *shown, struct stet_html_counts *missing, size_t size);
	/* New functions go here, and nowhere else. */
};

#endif
