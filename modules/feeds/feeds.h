/* feeds.h - what the files of the feeds module share. */
#ifndef FEEDS_H
#define FEEDS_H

#include <pthread.h>
#include <stet/content.h>
#include <stet/module.h>

/* ---- site.c: addresses on the site ---- */

/* The address of the site without a trailing slash: the setting `url`, or the base URL. */
STET_MUST enum stet_status site_url(struct stet_call *, const char **out);
/* Returns true if items of this collection are public and have a path on the site. */
bool site_shows(const struct stet_collection *);
/* Finds the collection of the argument `collection`; fails with NOT_FOUND unless site_shows() it.
 */
STET_MUST enum stet_status site_collection(struct stet_call *, const struct stet_collection **);
/* Counts the published items of the collection. */
STET_MUST enum stet_status site_count(
    struct stet_call *, const struct stet_collection *, int64_t *out);
/* Mixes a text into the entity tag of the reply; NULL counts as "". */
void site_mix(struct stet_call *, const char *text);
/* Converts an item's id (a ULID) to a UUID, for identifiers that never change. */
const char *site_uuid(struct stet_call *, const char *id);

/* ---- out.c: XML and HTML as bytes ---- */

struct out {
	struct stet_call *call;
	enum stet_status status; /* error of the first failed write */
	size_t len, room;
	char *at;
	bool memory; /* the whole text is kept in `at`; otherwise it goes to the reply in pieces */
};
void out_reply(struct out *, struct stet_call *);
void out_memory(struct out *, struct stet_call *);
void out_raw(struct out *, const char *markup);
/* Text, escaped for XML elements and attributes. Characters that XML does not allow are left out.
 */
void out_text(struct out *, const char *text);
/* <name>text</name>; nothing if the text is NULL or "". */
void out_element(struct out *, const char *name, const char *text);
/* Sends the buffered rest. */
STET_MUST enum stet_status out_end(struct out *);
/* Returns the text in memory, owned by the call. */
const char *out_all(struct out *);

/* ---- html.c: Portable Text ---- */

/* Returns the blocks as HTML without scripts; puts `base` before addresses that begin with "/". */
const char *html_write(struct stet_call *, const json_t *blocks, const char *base);

/* ---- feed.c: Atom and JSON Feed ---- */

extern const struct stet_member feed_in[];
stet_handler feed_atom, feed_json;

/* ---- sitemap.c ---- */

extern const struct stet_member part_in[];
bool sitemap_is_open(struct stet_call *);
stet_handler sitemap_read, sitemap_part;
/* For the service: returns the address of the sitemap; NULL: the site shows no collection. */
STET_MUST enum stet_status sitemap_address(struct stet_call *, const char **out);

/* ---- mark.c: revisions of the public content ---- */

enum stet_status mark_follow(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *id, const char *change, int64_t version);
/* Returns the collection's mark, which changes with each public change; NULL: no change yet.
 * Changes made while the module was off do not change it. */
STET_MUST enum stet_status mark_read(
    struct stet_call *, const struct stet_collection *, const char **out);

/* ---- parts.c: where the parts of a large sitemap begin ---- */

#define URLS_MAX 50000 /* addresses in one file, by sitemaps.org */

struct place {
	char created[32], id[32]; /* "" before the first item */
};
struct parts {
	size_t count;
	struct place *from; /* the beginning of each part; it ends where the next begins */
	char (*modified)[32];
};
struct feeds_state {
	pthread_mutex_t lock;
	struct kept *kept;
};
enum stet_status feeds_open(struct stet_call *, void *state);
void feeds_close(void *state);
/* Returns the parts of a collection with `total` published items, owned by the call. Call it in the
 * slow lane. */
STET_MUST enum stet_status parts_get(
    struct stet_call *, const struct stet_collection *, int64_t total, struct parts *);

#endif
