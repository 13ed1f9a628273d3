/* state.h - a site in random states, for model.c: everything that an export has to restore. */
#ifndef T_TRANSFER_STATE_H
#define T_TRANSFER_STATE_H

#include "posts.h"

#define SLOTS 6 /* remembered ids of each kind, of existing and deleted things */

/* The kinds of ids. An id stays remembered after the thing is deleted. */
enum kept { ITEM, MEDIA, FOLDER, BYLINE, MENU_ITEM, KEPT };

extern struct world {
	struct harness *site;
	int now; /* ms since the site was created */
	char id[KEPT][SLOTS][27];
	char collection[SLOTS][8]; /* collections of the remembered items */
} world;

int chosen(int n); /* returns a random number from 0 to n - 1 */
const char *one_of(const char *const *list); /* returns a random member; the list ends with NULL */
/* Returns a remembered id, or one that does not exist. */
const char *an_id(enum kept);
/* Remembers the id of the record in the response, if it has one. */
void remember(enum kept, struct outcome *);
void time_goes_on(int ms);
/* Returns true if the response is not a server error: client errors are valid outcomes. */
bool went(struct outcome *);

/* ---- values.c ---- */

extern const char *const collections[];
/* A field of each type that collections may have. */
struct kind_of_field {
	const char *slug, *type;
	const char *more; /* more members of the definition, with ' for "; NULL: none */
	const char *tight; /* members that exclude some values; NULL: none */
	const char *const *values; /* as JSON with ' for "; %s: an id; ends with NULL */
	enum kept refers;
};
extern const struct kind_of_field fields[];
extern const int field_kinds;
/* Returns values for some fields of the collection, as JSON with ' for ". Static buffer. */
const char *some_values(const char *collection);
const char *a_slug(void);

/* ---- steps.c ---- */

struct step {
	bool (*run)(void);
	int weight, done;
	const char *name;
};
extern struct step steps[]; /* ends with a step without a name */
void step(void);

#endif
