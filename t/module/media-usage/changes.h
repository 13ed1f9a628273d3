/* changes.h - random changes of which content uses which media items, for model.c. */
#ifndef T_MEDIA_USAGE_CHANGES_H
#define T_MEDIA_USAGE_CHANGES_H

#include "used.h"

#define SLOTS 8 /* media items at once */

/* The site, and what tests cannot ask it for. */
extern struct world {
	struct harness *site; /* opened anew by an import */
	int now; /* ms since the first midnight */
	char media[SLOTS][27]; /* "": deleted; what refers to it still does */
	char gone[27]; /* the media item that was deleted last */
	char byline[27]; /* "": there is none yet */
	bool absent; /* the module is disabled */
	bool missed; /* it was, and has not looked yet at what it has missed */
} world;

int chosen(int n); /* 0 to n - 1, at random */
/* The time that is `ms` from now, as text. Static buffer. */
const char *time_in(int ms);
void time_goes_on(int ms);

/* ---- values.c ---- */

int number(const char *sql); /* the answer to it */
/* A collection; NULL: there is none. Static buffer of two. */
const char *a_collection(void);
/* An item of the collection, as its id; NULL: there is none. Static buffer. */
const char *an_item(const char *collection, bool trashed);
/* Has the collection as many items as it may? */
bool is_full(const char *collection);
/* The fields that come and go, beside a title. */
extern const struct changing {
	const char *slug, *type;
} changing[];
extern const int changing_count;
bool has_field(const char *collection, const char *slug);
/* Values of some of its fields. */
json_t *some_values(const char *collection);
/* The path of the URL of a media item; "": it has none. Static buffer. */
const char *a_path(void);
/* A request; takes the body. */
struct outcome *send_json(const char *request, json_t *body);
/* Has it been done? Otherwise there was nothing to do; anything else is a fault. */
bool went(struct outcome *);

/* ---- steps.c ---- */

struct kind {
	bool (*run)(void);
	int weight, done;
	const char *name;
};
extern struct kind kinds[]; /* up to one without a name */
void step(void);
/* stet COMMAND ..., while nobody else has the site open: its exit status. */
int command(const char *const *words);
bool step_activate(void); /* a request of activation */
bool step_module(void); /* disables the module, now and then, or enables it */
void remove_export(void);

/* ---- elsewhere.c ---- */

bool step_widget(void);
bool step_section(void);
bool step_menu(void);
bool step_term(void);
bool step_bio(void);
bool step_tagline(void);
bool step_wxr(void); /* an item of an export file */
bool step_document(void); /* an item of a Markdown file */
bool step_paste(void);
/* Does anything but an item refer to it? */
bool is_used_elsewhere(const char *media);

#endif
