/* state.h - a site in random states, for model.c: what an export has to bring back. */
#ifndef T_TRANSFER_STATE_H
#define T_TRANSFER_STATE_H

#include "posts.h"

#define SLOTS 6 /* ids of each kind that are remembered, of what is there and of what is gone */

/* What has been made: its ids stay here when it is gone. */
enum kept { ITEM, MEDIA, FOLDER, BYLINE, MENU_ITEM, KEPT };

extern struct world {
	struct harness *site;
	int now; /* ms since the site began */
	char id[KEPT][SLOTS][27];
	char collection[SLOTS][8]; /* of the items: their collections */
} world;

int chosen(int n); /* 0 to n - 1, at random */
const char *one_of(const char *const *list); /* NULL-terminated */
/* A remembered id, or that of nothing. */
const char *an_id(enum kept);
/* Remembers the id of the record that is answered, if it is one. */
void remember(enum kept, struct outcome *);
void time_goes_on(int ms);
/* The answer has no fault: errors of clients are states, too. */
bool went(struct outcome *);

/* ---- values.c ---- */

extern const char *const collections[];
/* The fields of all types that collections may have. */
struct kind_of_field {
	const char *slug, *type;
	const char *more; /* members of the definition, with ' for "; NULL: none */
	const char *tight; /* the same, which exclude some of the values; NULL: none */
	const char *const *values; /* as JSON with ' for "; %s is an id; the last is NULL */
	enum kept refers;
};
extern const struct kind_of_field fields[];
extern const int field_kinds;
/* Values for some of the fields of the collection, as JSON with ' for ". Static buffer. */
const char *some_values(const char *collection);
const char *a_slug(void);

/* ---- steps.c ---- */

struct step {
	bool (*run)(void);
	int weight, done;
	const char *name;
};
extern struct step steps[]; /* up to one without a name */
void step(void);

#endif
