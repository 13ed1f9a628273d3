/* feeds.h - what the files of the feeds module share. */
#ifndef FEEDS_H
#define FEEDS_H

#include <pthread.h>
#include <stet/content.h>
#include <stet/module.h>

/* ---- site.c: addresses on the site ---- */

/* The address of the site without a trailing slash: the setting `url`, or the base URL. */
STET_MUST enum stet_status site_url(struct stet_call *, const char **out);
/* Does the public find items of this collection on the site? They are public and have a path. */
bool site_shows(const struct stet_collection *);
/* The path of an item; NULL: it has none. */
const char *site_path(struct stet_call *, const struct stet_collection *, const char *id,
    const char *slug, const char *locale);
/* The collection that the argument `collection` names, if the site shows it; otherwise fails with
 * NOT_FOUND. */
STET_MUST enum stet_status site_collection(struct stet_call *, const struct stet_collection **);
/* How many published items it has. */
STET_MUST enum stet_status site_count(
    struct stet_call *, const struct stet_collection *, int64_t *out);
/* Mixes a text into the tag of the reply; NULL: as "". */
void site_mix(struct stet_call *, const char *text);
/* An item's id, a ULID, as a UUID: for identifiers that never change. */
const char *site_uuid(struct stet_call *, const char *id);

/* ---- out.c: XML and HTML as bytes ---- */

struct out {
	struct stet_call *call;
	enum stet_status status; /* of the first write that failed */
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
/* Sends what waits. */
STET_MUST enum stet_status out_end(struct out *);
/* The text in memory, owned by the call. */
const char *out_all(struct out *);

/* ---- html.c: Portable Text ---- */

/* As HTML, without scripts; `base` stands before addresses that begin with "/". */
const char *html_write(struct stet_call *, const json_t *blocks, const char *base);

/* ---- feed.c: Atom and JSON Feed ---- */

extern const struct stet_member feed_in[];
stet_handler feed_atom, feed_json;

/* ---- sitemap.c ---- */

extern const struct stet_member part_in[];
bool sitemap_is_open(struct stet_call *);
stet_handler sitemap_read, sitemap_part;
/* The service: the address of the sitemap; NULL: the site shows nothing. */
STET_MUST enum stet_status sitemap_address(struct stet_call *, const char **out);

/* ---- mark.c: when the public sees another sitemap ---- */

enum stet_status mark_follow(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *id, const char *change, int64_t version);
/* The collection's mark; NULL: nothing has changed since there are marks. A change that was made
 * while the module was off is not in it. */
STET_MUST enum stet_status mark_read(
    struct stet_call *, const struct stet_collection *, const char **out);

/* ---- parts.c: where the parts of a large sitemap begin ---- */

#define URLS_MAX 50000 /* in one file, by sitemaps.org */

struct place {
	char created[32], id[32]; /* "" before the first item */
};
struct parts {
	size_t count;
	struct place *from; /* of each part; it ends where the next begins */
	char (*modified)[32];
};
struct feeds_state {
	pthread_mutex_t lock;
	struct kept *kept;
};
enum stet_status feeds_open(struct stet_call *, void *state);
void feeds_close(void *state);
/* The parts of a collection with so many published items, owned by the call. In the slow lane. */
STET_MUST enum stet_status parts_get(
    struct stet_call *, const struct stet_collection *, int64_t total, struct parts *);

#endif
