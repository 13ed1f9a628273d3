/* write.h - the ops that change items, and what they share. */
#ifndef CONTENT_WRITE_H
#define CONTENT_WRITE_H

#include "item/item.h"
#include <stet/limit.h>

/* ---- save.c, insert.c, update.c, trash.c ---- */

/* A text that may be absent or null. */
struct maybe {
	bool given;
	const char *text;
};
struct maybe maybe_arg(struct stet_call *, const char *name);
struct create {
	const char *collection;
	const json_t *data;
	const char *slug, *status, *locale, *translation_of;
	const char *author; /* a user; NULL: the caller. For importers, as updated_at is. */
	struct maybe published_at, created_at, updated_at; /* the last is for importers */
	const json_t *bylines, *taxonomies; /* NULL: none */
	const json_t *extra[EXTRAS]; /* NULL: none */
	bool markdown; /* Portable Text may be given as Markdown */
	json_t *lost; /* gets content that the Markdown lost; NULL: unwanted */
};
/* Inserts an item; its row is current in *rows. */
STET_MUST enum stet_status item_create(struct stet_call *, struct stet_tx *, const struct create *,
    const struct stet_collection **, const struct plan **, struct stet_rows *);
/* Implements `create_failed` of the service content/1. */
STET_MUST enum stet_status item_create_failed(struct stet_call *, struct stet_tx *,
    const struct create *, const char *message, const char *markup, const char **id);

/* Fails with an issue about "authorId" unless there is a user of this id. */
STET_MUST enum stet_status item_check_author(struct stet_call *, const char *id);
/* Inserts the row of a new item: the columns by their places, of which those that follow from the
 * change need not be set, with room for those of the fields, and the values of the fields as in the
 * plan. `given` is what the request has of these, for the error about a unique value; NULL:
 * nothing.
 */
STET_MUST enum stet_status item_insert(struct stet_call *, struct stet_tx *, const struct change *,
    struct stet_val *column, const json_t *const *value, const struct values *given);

struct update {
	const char *collection, *id; /* id: or the slug */
	const char *locale, *status, *rev;
	const json_t *data; /* NULL: not given */
	struct maybe slug, author, published_at;
	const json_t *bylines, *taxonomies; /* NULL: not given */
	const json_t *extra[EXTRAS]; /* NULL: not given */
	bool skip_revision; /* the draft that this update replaces need not be kept as a revision */
	bool markdown; /* Portable Text may be given as Markdown */
	json_t *lost; /* gets content that the Markdown lost; NULL: unwanted */
	const struct patch *patch; /* operations on blocks; NULL: none */
};
struct now;
/* Sets *now to the item that was changed. */
STET_MUST enum stet_status item_update(
    struct stet_call *, struct stet_tx *, const struct update *, struct now *);

STET_MUST enum stet_status save_status(struct stet_call *, const char *status);
/* Returns the text for the slug: the field title, or else name, if it is a text; NULL: neither. */
const char *save_slug_source(const struct values *);
/* Fails if the item cannot be published: in a routable collection it needs a slug. */
STET_MUST enum stet_status save_publishable(struct stet_call *, const struct change *);

stet_handler content_create, content_create_tool, content_patch, content_put, content_update,
    content_delete, content_list_trashed, content_restore, content_purge;
extern const struct stet_member create_in[], create_tool_in[], patch_in[], update_in[],
    update_tool_in[], delete_in[], delete_out[], trash_in[], trash_out[], restore_in[],
    restore_out[], purge_out[];

/* ---- patch.c ---- */

struct patch {
	const char *field;
	const json_t *operations;
};
/* Applies the operations to the present blocks of a field; *data has the field's new value. */
STET_MUST enum stet_status patch_apply(struct stet_call *, const struct patch *, const struct now *,
    const json_t **data, json_t *lost);

/* ---- publish.c ---- */

struct publish {
	const json_t *data; /* the values that become public */
	const char *slug;
	const char *staged_slug; /* the slug that the revision stages */
	const json_t *staged; /* bylines and terms that become live (staged.c); NULL: none */
	bool edited; /* the values differ from the newest ones */
	struct maybe published_at, author;
	const char *due; /* the time for which it was scheduled; NULL: a user publishes it */
};
/* Fails if required fields have no value in `data`, which is to be published: names all of them. A
 * draft may lack them. */
STET_MUST enum stet_status publish_check(
    struct stet_call *, const struct now *, const json_t *data);
STET_MUST enum stet_status item_publish(
    struct stet_call *, struct stet_tx *, const struct now *, const struct publish *);
/* due: the time has come that was set for it. */
STET_MUST enum stet_status item_unpublish(
    struct stet_call *, struct stet_tx *, const struct now *, bool due);
/* Discards the draft of an item that is public, with its schedule. */
STET_MUST enum stet_status item_discard(
    struct stet_call *, struct stet_tx *, const char *collection, const char *id);
extern const struct stet_member publish_in[], publish_tool_in[], item_in[], item_part_in[],
    item_tool_in[];
stet_handler content_publish, content_publish_tool, content_unpublish, content_unpublish_tool,
    content_discard, content_discard_tool;

/* ---- scheduler.c, schedule.c ---- */

#define SCHEDULER_MIGRATION                                            \
	"CREATE TABLE item_scheduler (item TEXT NOT NULL PRIMARY KEY," \
	" user_id TEXT NOT NULL, scheduled_at TEXT NOT NULL)"
#define UNPUBLISHER_MIGRATION                                            \
	"CREATE TABLE item_unpublisher (item TEXT NOT NULL PRIMARY KEY," \
	" user_id TEXT NOT NULL, unpublish_at TEXT NOT NULL)"
/* What a schedule does with an item at its time. */
enum act { PUBLISHES, UNPUBLISHES, ACTS };
/* Stores that the caller schedules this for the item at this time; NULL: deletes the row. */
STET_MUST enum stet_status scheduler_note(
    struct stet_call *, struct stet_tx *, enum act, const char *item, const char *at);
STET_MUST enum stet_status scheduler_forget(
    struct stet_call *, struct stet_tx *, enum act, const char *item);
/* Fails with FORBIDDEN if the user who scheduled it may not do it now. */
STET_MUST enum stet_status scheduler_judge(struct stet_call *, enum act, const struct now *);
#define SCHEDULE_JOB "publish"
/* Wakes the job after this transaction, since a schedule has changed. */
void scheduler_wake(struct stet_call *);

int64_t schedule_due(struct stet_call *);
stet_handler schedule_run;
/* Sets the times at which an item is published and unpublished without changing its time of change;
 * NULL, or a time that has passed: that stays as it is. */
STET_MUST enum stet_status item_schedule(struct stet_call *, struct stet_tx *,
    const char *collection, const char *id, const char *at, const char *end);
extern const struct stet_member schedule_in[], schedule_tool_in[];
stet_handler content_schedule, content_schedule_tool, content_unschedule;

/* ---- history.c: revisions, over REST and as tools ---- */

extern const struct stet_member revisions_in[], revision_list_in[], revisions_out[], revision_in[],
    revision_restore_in[], revision_out[];
stet_handler revision_list, revision_list_tool, revision_get, revision_restore;

stet_handler content_duplicate, content_duplicate_tool;
extern const struct stet_member duplicate_in[], duplicate_tool_in[];

/* ---- replace.c ---- */

extern const struct stet_member replace_in[], replace_out[];
stet_handler content_replace;

/* ---- rewrite.c ---- */

/* Implements `rewrite` of the service content/1. */
STET_MUST enum stet_status item_rewrite(struct stet_call *, struct stet_tx *,
    const char *collection, const char *id, stet_rewrite_fn *, void *arg, bool *changed);

/* ---- translation.c ---- */

/* For a change that reaches the other items of a translation group, such as its terms: refuses it
 * if the caller may write drafts only and one of them is published, or scheduled to be. */
STET_MUST enum stet_status translation_spare(
    struct stet_call *, const struct plan *, const char *group, const char *but);

extern const struct stet_member translations_in[], translations_out[];
stet_handler content_translations;
/* Fails with CONFLICT if the group has an item in this locale other than `but`. */
STET_MUST enum stet_status translation_free(struct stet_call *, const struct plan *,
    const char *group, const char *locale, const char *but);
/* Returns true if the collection has fields whose values are the same in all locales (not
 * translatable). */
bool translation_shares(const struct stet_collection *);
/* Returns the data of a new translation: shared values that it lacks are copied from the source. */
const json_t *translation_inherit(
    struct stet_call *, const struct stet_collection *, const json_t *source, const json_t *data);
/* After a write to the row of an item: copies shared values to the item's translations. `was`: the
 * old values of the row; only differences are copied. NULL: all. */
STET_MUST enum stet_status translation_share(struct stet_call *, struct stet_tx *,
    const struct change *, const char *group, const json_t *was, const json_t *data);
/* When an item is restored from the trash: copies shared values from its translations. */
STET_MUST enum stet_status translation_rejoin(
    struct stet_call *, struct stet_tx *, const struct now *);

/* ---- assign.c ---- */

extern const struct stet_member terms_get_in[], terms_set_in[], terms_out[];
stet_handler content_terms, content_set_terms;

#endif
