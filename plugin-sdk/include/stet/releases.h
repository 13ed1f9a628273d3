/* releases.h - the service of the releases module, for the history module: reads and takes back
 * what releases change too, with the ops that would change it alone. */
#ifndef STET_RELEASES_H
#define STET_RELEASES_H

#include <jansson.h>
#include <stet/call.h>

/* What is changed. Texts that its kind does not have are NULL. */
struct stet_release_part {
	const char *kind; /* "item", "term", "menu" or "settings" */
	const char *collection, *item; /* of an item: its slug and id */
	const char *name, *slug, *locale; /* of a menu, or of a term of the taxonomy `name` */
	const json_t *groups; /* may be NULL: see `revert` */
	bool whole; /* of a term: `state` also reads which items have it, for a term that is about
		       to be deleted */
};

#define STET_RELEASES_1 "releases/1"
struct stet_releases_1 {
	/* Reads the present state of a part; NULL if there is none. Settings: all that are set. It
	 * is what `revert` takes as `before`, also after the part was deleted. Owned by the call.
	 */
	enum stet_status (*state)(
	    struct stet_call *, const struct stet_release_part *, const json_t **out);
	/* Makes the part again what it was `before` (NULL: it did not exist) a write that made it
	 * `after` (NULL: it was deleted), as the caller and with the ops that do it alone. What was
	 * changed since is not looked at. A term that comes back has another translation group: it
	 * is added to part->groups, an object, by which later calls find their parents. */
	enum stet_status (*revert)(struct stet_call *, const struct stet_release_part *,
	    const json_t *before, const json_t *after);
	/* New functions go here, and nowhere else. */
};

#endif
