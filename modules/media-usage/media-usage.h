/* media-usage.h - the interface between the files of the module media-usage. */
#ifndef MEDIA_USAGE_H
#define MEDIA_USAGE_H

#include <stet/media.h>
#include <stet/module.h>

/* ---- refs.c: references to media items ---- */

/* The two versions of an item's values, which have separate references: the row and the draft. */
enum variant { COLUMNS, DRAFT_OVERLAY };

struct ref {
	const char *media; /* id of the media item, which may not exist; NULL until urls_resolve */
	enum variant variant;
	const char *field, *path, *type;
	const char *file; /* file name in a URL; NULL: the value holds the id */
};
/* A file name and its media item, to be stored in media_use_file. */
struct file {
	const char *name, *media;
	const struct file *next;
};
struct refs {
	struct stet_call *call;
	struct ref *list;
	size_t count, room;
	enum variant variant; /* variant of the values that are read next */
	bool has_files; /* some references have a file */
	bool any_id; /* an id counts wherever it is, not in the known places only */
	const struct file *files; /* set by urls_resolve: files that media_use_file lacks */
};

/* Adds a reference of this type; media NULL: adds none. */
void refs_add(
    struct refs *, const char *field, const char *path, const char *type, const char *media);
/* Adds a reference by an id, which may be one of a media item. */
void refs_add_id(struct refs *, const char *field, const char *path, const char *id);
/* Adds a reference by the name of a file. */
void refs_add_file(struct refs *, const char *field, const char *path, const char *name);

/* ---- extract.c: the media items that values refer to ---- */

/* The parts of an item that may refer: the fields of its collection, followed by the item's seo
 * (slug "_seo") if the collection has SEO. */
size_t part_count(const struct stet_collection *);
const struct stet_field *part_at(const struct stet_collection *, size_t i);
/* Returns true if values of the field can hold ids of media items. */
bool field_refers(const struct stet_field *);
/* Returns true if values of the field can hold ids or URLs of media items. */
bool field_may_use(const struct stet_field *);
/* Returns true if values of the field are images, files, or rows that may have images. */
bool field_has_media(const struct stet_field *);
/* Adds the references in a value of a field, URLs included; value may be NULL. Call urls_resolve
 * afterwards. */
void extract(struct refs *, const struct stet_field *, const json_t *value);
/* Adds the references in the text of a column, URLs included; text may be NULL. Call urls_resolve
 * afterwards. */
void extract_column(struct refs *, const struct stet_field *, const char *text, size_t len);
/* Adds only the references by id in the text of a column. */
void extract_ids(struct refs *, const struct stet_field *, const char *text, size_t len);
/* Adds the ids and URLs anywhere in a text, which may be JSON. */
void extract_any(struct refs *, const char *field, const char *text, size_t len);

/* ---- urls.c: the files of the library to which texts link ---- */

/* Adds the files of all URLs in a value, however deep in it. */
void urls_in(struct refs *, const char *field, const json_t *value);
/* Returns false if no URL in the text, plain or JSON, can be one of a file. The text ends with a
 * NUL. */
bool urls_may_be_in(struct stet_call *, const char *text, size_t len);
/* Sets the media items of references by file name. Drops references to files that no item has. */
STET_MUST enum stet_status urls_resolve(struct refs *);

/* ---- entry.c: the uses of an item, in the index ---- */

/* An item as the index should have it. */
struct entry {
	bool there;
	bool active; /* not in the trash: its uses count */
	bool broken; /* its draft is missing */
	bool indexed; /* false: the index has no use of it */
	int sources; /* how many versions of its values there are */
	const struct file *files; /* linked files that media_use_file lacks */
	struct uses *uses;
};
/* Reads the item, or takes its row from `known`. `without` is a field that is being deleted, or
 * NULL. */
enum stet_status entry_read(struct stet_call *, const struct stet_collection *, const char *id,
    const char *without, const struct stet_item_row *known, struct entry *);
/* Makes the index equal to the item. *removed, unless NULL, grows by the number of wrong uses that
 * were removed. */
enum stet_status entry_write(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *id, const struct entry *, int64_t *removed);
/* Compares the index with the item: *why is NULL, or says what differs. */
enum stet_status entry_compare(struct stet_call *, const struct stet_collection *, const char *id,
    const struct entry *, const char **why);

stet_entry_changed_fn usage_entry;

/* ---- holders.c: tables other than those of items whose rows may refer ---- */

/* A table other than those of items. As a collection it has an id and a slug, which begin with "=",
 * and no fields. */
struct holder;
/* Returns the table of this name as a collection; NULL: its rows cannot refer to media items. */
const struct stet_collection *holder_of_table(struct stet_call *, const char *table);
/* Returns the next table as a collection: *i is 0 at first. NULL: there are no more. */
const struct stet_collection *holder_next(struct stet_call *, size_t *i);
bool holder_is_id(const char *collection_id);
/* Returns NULL if the table's module is not enabled. */
const struct stet_collection *holder_by_id(struct stet_call *, const char *id);
/* Returns NULL for a collection of items. */
const struct holder *holder_of(const struct stet_collection *);
/* Returns the columns that are read, for coverage_shape. */
const char *holder_shape(struct stet_call *, const struct holder *);
/* Appends a SELECT of the keys after this one, as `id`. */
void holder_select_keys(const struct holder *, struct stet_sql *, const char *after);
/* Reads the references of a row. *indexed: the index has a use of it. */
enum stet_status holder_read(struct stet_call *, const struct holder *, const char *id,
    struct refs *, bool *there, bool *indexed);
/* Writes the rows that use the media item, at most `most`, as elements of an array; with `sources`,
 * also the places. */
enum stet_status holders_put(
    struct stet_call *, struct stet_json *, const char *media, size_t most, bool sources);

/* ---- coverage.c: for which collections the index is complete ---- */

/* The stored state of a collection: the result of its last scan, and the progress of the next. */
struct coverage {
	bool there;
	const char *state; /* never, complete, partial, failed or stale */
	const char *shape; /* coverage_shape at the beginning of the last scan */
	const char *run; /* the scan under way; NULL: there is none */
	const char *ended; /* the scan that ended last */
	const char *cursor; /* the last item of the scan under way */
	int64_t indexed, failed, deleted; /* sources of the last scan, and uses that it removed */
	const char *error, *started, *completed; /* may be NULL */
};
enum stet_status coverage_read(struct stet_call *, const char *collection_id, struct coverage *);
/* Returns as a text what the uses in a collection depend on: its fields. `without`: a field to
 * leave out, or NULL. */
const char *coverage_shape(struct stet_call *, const struct stet_collection *, const char *without);
/* Finds a collection by its id or its slug; NULL: it is not there. */
enum stet_status collection_by_id(
    struct stet_call *, const char *id, const struct stet_collection **);
enum stet_status collection_by_slug(
    struct stet_call *, const char *slug, const struct stet_collection **);

/* A collection, and whether the index has all of its uses. */
struct covered {
	const struct stet_collection *collection;
	struct coverage row;
	bool work, failed; /* work: items are queued; failed: some cannot be indexed */
	const char *status; /* in the form for clients */
};
struct covered_all {
	struct covered *list; /* the collections by slug, then the tables of holders.c */
	size_t collections, count; /* count: with the tables */
	bool missed; /* the module was off, and has not caught up yet */
	/* overall status: that of the tables counts only if the collections are complete */
	const char *status;
};
enum stet_status coverage_all(struct stet_call *, struct covered_all *);

/* ---- scan.c: scans of the items of a collection ---- */

#define USAGE_JOB "usage"
#define SCAN_BATCH 100

/* Returns the next ids, at most SCAN_BATCH, of items and of uses, so that uses by items that are
 * gone are found. */
enum stet_status scan_ids(struct stet_call *, const struct stet_collection *, const char *after,
    const char **id, size_t *count);

enum stet_status scan_begin(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *without, const char **run);
/* Does a part of the scan under way, if there is one. */
enum stet_status scan_step(
    struct stet_call *, struct stet_tx *, const struct stet_collection *, const char *without);
/* Returns the next collection to scan; NULL: there is none. `active`: also one that was never
 * scanned. */
const struct covered *scan_next(const struct covered_all *, bool active);
/* Scans the tables that were never scanned: small ones to the end. */
enum stet_status scan_holders(struct stet_call *, struct stet_tx *, const struct covered_all *);
/* Scans a part of the next collection. *more: there was something to do. */
enum stet_status scan_any(struct stet_call *, struct stet_tx *, bool *more);
/* If the module was off: marks what was scanned as stale, and forgets collections that are gone. */
enum stet_status scan_missed(struct stet_call *, struct stet_tx *);

int64_t scan_due(struct stet_call *);
stet_handler scan_run;
stet_schema_changing_fn usage_schema;
stet_media_holder_changed_fn usage_holder;

/* ---- work.c, deletion.c: single items to index again, and collections to forget ---- */

/* Records an item that could not be read, for an operator. */
enum stet_status work_failed(struct stet_call *, struct stet_tx *, const char *collection_id,
    const char *id, const char *error);
/* Removes all queued items of a collection, after a scan without failures. */
enum stet_status work_done(struct stet_call *, struct stet_tx *, const char *collection_id);
enum stet_status deletion_begin(
    struct stet_call *, struct stet_tx *, const char *collection_id, const char *slug);
/* Do a part of the queue. *more: there was something to do. */
enum stet_status work_step(struct stet_call *, struct stet_tx *, int64_t now, bool *more);
enum stet_status deletion_step(struct stet_call *, struct stet_tx *, bool *more);
/* *at: time of the next task in milliseconds; -1: none. *failed: some have failed for good. */
enum stet_status work_when(struct stet_call *, int64_t *at);
enum stet_status deletion_when(struct stet_call *, int64_t *at, bool *failed);
/* Fails with WORK_LEASE_ACTIVE. */
enum stet_status lease_refuse(struct stet_call *, const char *until);

/* ---- verify.c ---- */

/* Corrects the wrong numbers in media_use_count. */
enum stet_status counts_repair(struct stet_call *, const char *collection_id);

/* ---- activation.c: whether the index is switched on ---- */

struct activation {
	const char *state, *cursor, *drained, *attempted, *error, *until, *activated, *updated;
	int64_t attempts;
};

enum stet_status activation_read(struct stet_call *, struct activation *);
/* Returns true if the state has this name. */
bool activation_is(const struct activation *, const char *state);
/* Returns true if another request prepares a collection now. */
bool activation_is_leased(struct stet_call *, const struct activation *);
enum stet_status activation_is_active(struct stet_call *, bool *active);
void activation_put(struct stet_json *, const char *key, const struct activation *);

/* ---- the handlers of ops ---- */

extern const struct stet_member activation_out[], activate_in[], activate_out[], progress_out[],
    advance_out[], repair_in[], repair_out[], work_list_in[], work_list_out[], work_retry_in[],
    work_retry_out[], deletion_list_in[], deletion_list_out[], deletion_retry_in[],
    deletion_retry_out[], detail_in[], detail_out[], verify_out[];
extern const struct stet_media_usage_1 usage_service;
stet_handler usage_activation, usage_activate, usage_progress, usage_advance, usage_repair,
    usage_work, usage_work_retry, usage_deletions, usage_deletion_retry, usage_detail, usage_verify;

#endif
