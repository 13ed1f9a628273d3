/* releases.h - what the files of the releases module share. */
#ifndef RELEASES_H
#define RELEASES_H

#include <stet/module.h>
#include <stet/releases.h>

#define RELEASES_MAX 500 /* on one site, not counting those that are published */
#define LISTED_MAX 1000 /* the list has no pages */
#define CHANGES_MAX 200 /* in one release: all of them are published in one transaction */
#define RELEASE_JOB "publish"

/* ---- ask.c: other ops ---- */

/* Returns the user who is calling; NULL: a command or a job. */
const char *caller(struct stet_call *);
/* Becomes this user, with the role that they have now and all scopes. Fails with FORBIDDEN if they
 * are disabled or deleted. */
STET_MUST enum stet_status act_as(struct stet_call *, const char *id);
/* Finds an op by its name. Fails with NOT_FOUND if its module is not enabled. */
STET_MUST enum stet_status op_find(
    struct stet_call *, const char *name, const struct stet_op_info **out);
/* Fails as the op would if the caller's role, or the scopes of their token, do not allow it. */
STET_MUST enum stet_status may_ask(struct stet_call *, const char *op);
/* A text member of an object; NULL: it has none. */
const char *text_of(const json_t *object, const char *name);
/* A new reference to a value that is not changed. */
json_t *again(const json_t *);

/* ---- store.c: releases and their changes in the database ---- */

/* The order of RELEASE_COLUMNS, and of the members of a release in replies. */
enum release_column {
	R_ID,
	R_NAME,
	R_DESCRIPTION,
	R_STATUS,
	R_CREATED,
	R_CREATED_BY,
	R_UPDATED,
	R_SCHEDULED,
	R_SCHEDULED_BY,
	R_PUBLISHED,
	R_PUBLISHED_BY,
	R_UNDONE,
	R_ALLOWS,
	R_ERROR,
	R_COLUMNS
};
#define RELEASE_COLUMNS                                                                    \
	"id, name, description, status, created_at, created_by, updated_at, scheduled_at," \
	" scheduled_by, published_at, published_by, undone_at, allow_missing, error"

struct release {
	const char *id, *name, *status, *created_by, *scheduled_at, *scheduled_by, *error;
	int64_t tries; /* how often it has failed at its time */
	bool is_published; /* it was, and that is not undone */
	bool allows; /* references to what is not public do not stand against it */
};

enum kind { ITEM, TERM, MENU, SETTINGS, KINDS };
extern const char *const kind_names[KINDS + 1]; /* NULL-terminated */

/* A change that a release holds. Texts that its kind does not have are NULL. */
struct change {
	const char *id;
	enum kind kind;
	const char *action; /* of an item: publish or unpublish; of a term: delete, or NULL */
	const char *collection, *item; /* of an item */
	const char *name, *slug, *locale; /* of a menu or a term: its taxonomy is the name */
	const json_t *content; /* what becomes of it; NULL for items */
	const json_t *base; /* its mark when it was added */
	const json_t *before, *after; /* once it is published: its state before, its mark after */
	const char *added_at, *added_by;
	/* While it is undone: the translation groups of terms that came back, by those they had. */
	json_t *groups;
};
struct changes {
	struct change *change;
	size_t count;
};

/* Fails with FORBIDDEN if the release is another user's, and the caller may not change those. */
STET_MUST enum stet_status release_mine(struct stet_call *, const struct release *);
bool release_is(const struct release *, const char *status);
/* Finds a release by its id or name. Fails with NOT_FOUND. */
STET_MUST enum stet_status release_find(struct stet_call *, const char *id, struct release *);
/* Returns true if the change deletes its subject. */
bool change_deletes(const struct change *);
/* Reads the changes of a release in the order in which they are published. */
STET_MUST enum stet_status changes_read(
    struct stet_call *, const struct release *, struct changes *);
/* Fails with CONFLICT if the release has more changes than are allowed. */
STET_MUST enum stet_status changes_count(struct stet_call *, const struct release *);
/* Reads a change and the id of its release. *sound: its subject and its rank are those of what it
 * changes. */
STET_MUST enum stet_status change_find(
    struct stet_call *, const char *id, struct change *, const char **release, bool *sound);
/* Finds the change of the same subject that is there: *by is who has added it (NULL: a command, or
 * an import). */
STET_MUST enum stet_status change_there(struct stet_call *, const struct release *,
    const struct change *, bool *there, const char **by);
/* Inserts the change, or replaces that of the same subject, and sets its id. */
STET_MUST enum stet_status change_store(
    struct stet_call *, struct stet_tx *, const struct release *, struct change *);
/* Stores what is known of the change once it is published; NULL: nothing any more. */
STET_MUST enum stet_status change_mark(struct stet_call *, struct stet_tx *, const struct change *,
    const json_t *base, const json_t *before, const json_t *after);

/* ---- problems.c: what stands against a release ---- */

struct problems {
	json_t *list; /* [{change, type, title, code, message, issues?}] */
};
/* Returns the recorded error as {code, message, details}, owned by the call, and forgets it. */
json_t *problems_error(struct stet_call *);
void problems_begin(struct stet_call *, struct problems *);
/* Adds a problem of the change. `title` NULL: that of its subject is not known. */
void problems_add(struct problems *, const struct change *, const char *title, const char *code,
    const char *message);
/* Adds the recorded error, and forgets it. Fails with it if it is a fault, or a rate limit, which
 * says nothing of the change. */
STET_MUST enum stet_status problems_take(struct stet_call *, struct problems *,
    const struct change *, const char *title, enum stet_status);
/* Fails with RELEASE_BLOCKED if there are any. */
STET_MUST enum stet_status problems_end(
    struct stet_call *, const struct problems *, const char *text);

/* ---- kinds.c, items.c, parts.c: what can be changed ---- */

/* A kind of changes. `state` reads the present state of the subject, NULL if there is none; its
 * mark is the part by which a later change is noticed. `apply` makes the change, `revert` takes it
 * back. */
struct kind_row {
	const char
	    *ops[3]; /* those that make it: to add such a change, the caller must have them */
	const char *reads; /* to see what it changes */
	/* Records issues below `path`. */
	void (*check)(struct stet_call *, const char *path, const struct change *);
	enum stet_status (*state)(struct stet_call *, const struct change *, const json_t **out);
	/* May add to `state` what `revert` needs besides: it becomes `before`. */
	enum stet_status (*apply)(struct stet_call *, const struct change *, json_t *state);
	enum stet_status (*revert)(struct stet_call *, const struct change *);
};
extern const struct kind_row *const kinds[KINDS];
extern const struct kind_row item_kind, term_kind, menu_kind, settings_kind;

/* Reads a term with its translation group and locale, and with `items` also those that have it,
 * which bringing it back needs; NULL: there is none. */
STET_MUST enum stet_status term_whole(
    struct stet_call *, const struct change *, bool items, const json_t **out);

/* Returns true if the change can be made although its subject does not exist: it is created. */
bool kind_creates(const struct change *);
/* Returns true if a change is told that its subject is gone: it is neither created nor was it
 * deleted by the release. */
bool kind_lost(const struct change *, const json_t *state, bool published);
const json_t *kind_mark(struct stet_call *, const struct change *, const json_t *state);
/* A name of the subject for people, owned by the call. */
const char *kind_title(struct stet_call *, const struct change *, const json_t *state);
/* What publishing does with the subject: publish, update, unpublish, create, delete or
 * nothing. */
const char *kind_does(const struct change *, const json_t *state);

/* ---- missing.c ---- */

/* Records what these changes refer to and readers will not find: references of items that are
 * published, links of menus. */
STET_MUST enum stet_status missing_find(
    struct stet_call *, const struct changes *, struct problems *);

/* ---- show.c ---- */

extern const struct stet_member release_list_in[], release_list_out[], release_get_in[],
    release_get_out[], release_any_out[];
stet_handler release_list, release_read, release_get;
/* Answers the release as it is now, with its changes. */
STET_MUST enum stet_status release_reply(struct stet_call *, const char *id);

/* ---- edit.c ---- */

extern const struct stet_member release_create_in[], release_put_in[], release_save_in[],
    release_by_id[], release_deleted_out[];
stet_handler release_create, release_put, release_save, release_delete;

/* ---- publish.c, undo.c, due.c ---- */

extern const struct stet_member release_publish_in[], release_check_out[], release_schedule_in[];
stet_handler release_publish, release_check, release_schedule, release_unschedule, release_undo;
/* Publishes a release as the caller. `due`: its time has come. */
STET_MUST enum stet_status publish_run(struct stet_call *, const struct release *, bool due);
/* Called within a trial, when all changes are made: sees everything as it would be. `state` is that
 * of each change before. */
typedef enum stet_status trial_look(
    struct stet_call *, const struct changes *, const json_t *const *state, void *arg);
/* Tries to publish a release, and undoes it. *problems is what stands against it. `look` may be
 * NULL. */
STET_MUST enum stet_status publish_try(struct stet_call *, const struct release *, bool allows,
    trial_look *look, void *arg, const json_t **problems);

/* ---- preview.c ---- */

extern const struct stet_member release_link_in[], release_link_out[], release_links_out[],
    release_unlink_in[], release_preview_in[], release_preview_out[];
stet_handler release_link, release_links, release_unlink, release_preview;

int64_t release_due(struct stet_call *);
stet_handler release_run;

/* ---- part.c: the service ---- */

extern const struct stet_releases_1 release_service;

/* ---- moved.c ---- */

extern const struct stet_transfer release_transfers[2];

/* ---- calendar.c ---- */

extern const struct stet_member calendar_in[], calendar_out[];
stet_handler calendar;

#endif
