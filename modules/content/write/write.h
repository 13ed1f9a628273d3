/* write.h - what changes items. */
#ifndef CONTENT_WRITE_H
#define CONTENT_WRITE_H

#include "item/item.h"

/* ---- save.c, update.c, trash.c ---- */

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
	struct maybe published_at, created_at;
	const json_t *bylines, *taxonomies; /* NULL: none */
	bool markdown; /* Portable Text may be given as a text */
};
/* Insert an item; its row is current in *rows. */
STET_MUST enum stet_status item_create(struct stet_call *, struct stet_tx *, const struct create *,
    const struct stet_collection **, const struct plan **, struct stet_rows *);

struct update {
	const char *collection, *id; /* or its slug */
	const char *locale, *status, *rev;
	const json_t *data; /* NULL: not given */
	struct maybe slug, author, published_at;
	const json_t *bylines, *taxonomies; /* NULL: not given */
	bool skip_revision; /* the draft that this one replaces need not be kept */
	bool markdown; /* Portable Text may be given as a text */
	const struct patch *patch; /* of blocks; NULL: none */
};
struct now;
/* *now tells which item it was. */
STET_MUST enum stet_status item_update(
    struct stet_call *, struct stet_tx *, const struct update *, struct now *);

STET_MUST enum stet_status save_status(struct stet_call *, const char *status);
/* Routable items need a slug to be published. */
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
/* *data with the field as it is after the operations on its blocks as they are now. */
STET_MUST enum stet_status patch_apply(
    struct stet_call *, const struct patch *, const struct now *, const json_t **data);

/* ---- publish.c ---- */

struct publish {
	const json_t *data; /* what goes live */
	const char *slug;
	const char *staged_slug; /* for its revision */
	bool edited; /* other than the newest values */
	struct maybe published_at, author;
	const char *due; /* the time it was scheduled for; NULL: somebody publishes it */
};
STET_MUST enum stet_status item_publish(
    struct stet_call *, struct stet_tx *, const struct now *, const struct publish *);
STET_MUST enum stet_status item_unpublish(struct stet_call *, struct stet_tx *, const struct now *);
extern const struct stet_member publish_in[], publish_tool_in[], item_in[], item_part_in[],
    item_tool_in[];
stet_handler content_publish, content_publish_tool, content_unpublish, content_unpublish_tool,
    content_discard, content_discard_tool;

/* ---- schedule.c ---- */

#define SCHEDULE_JOB "publish"
struct failures;
void schedule_forget(struct failures *);
/* A schedule is another after this transaction. */
void schedule_changed(struct stet_call *);
int64_t schedule_due(struct stet_call *);
stet_handler schedule_run;
extern const struct stet_member schedule_in[], schedule_tool_in[];
stet_handler content_schedule, content_schedule_tool, content_unschedule;

/* ---- history.c: revisions over REST and as tools ---- */

extern const struct stet_member revisions_in[], revision_list_in[], revisions_out[], revision_in[],
    revision_restore_in[], revision_out[];
stet_handler revision_list, revision_list_tool, revision_get, revision_restore;

stet_handler content_duplicate, content_duplicate_tool;
extern const struct stet_member duplicate_in[], duplicate_tool_in[];

/* ---- translation.c ---- */

extern const struct stet_member translations_in[], translations_out[];
stet_handler content_translations;
/* CONFLICT when the group has an item in this locale, but for `but`. */
STET_MUST enum stet_status translation_free(struct stet_call *, const struct plan *,
    const char *group, const char *locale, const char *but);
/* Has the collection fields whose values are the same in all locales? */
bool translation_shares(const struct stet_collection *);
/* The data of a new translation, with the source's values of such fields where it has none. */
const json_t *translation_inherit(
    struct stet_call *, const struct stet_collection *, const json_t *source, const json_t *data);
/* After a write of this data into the row of an item: give such values to its siblings. `was`: what
 * the row held; only what differs is given. NULL: all. */
STET_MUST enum stet_status translation_share(struct stet_call *, struct stet_tx *,
    const struct change *, const char *group, const json_t *was, const json_t *data);
/* The item is back from the trash: it takes what its siblings have. */
STET_MUST enum stet_status translation_rejoin(
    struct stet_call *, struct stet_tx *, const struct now *);

#endif
