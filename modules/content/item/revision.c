/*
 * revision.c - revisions in the database. Some are complete (keyframes), the others are stored
 * as their difference (delta) to one keyframe. A delta never builds on another delta, so reading
 * a revision takes one or two rows.
 */
#include "item/item.h"
#include <stdlib.h>
#include <string.h>

#define DELTAS_MAX 16 /* deltas on one keyframe */
#define KEPT 50 /* revisions of an item, if the setting has no value */

#define COLUMNS                                                                              \
	"SELECT r.id, r.collection, r.entry_id, r.author_id, r.created_at, r.slug, r.data, " \
	"k.data"
#define READ COLUMNS " FROM revision r LEFT JOIN revision k ON k.id = r.base WHERE "
/* With the name of the author, for responses that show revisions. */
#define READ_NAMED                                                                               \
	COLUMNS ", COALESCE(NULLIF(u.name, ''), u.email) FROM revision r"                        \
		" LEFT JOIN revision k ON k.id = r.base LEFT JOIN users u ON u.id = r.author_id" \
		" WHERE "

enum { R_ID, R_COLLECTION, R_ENTRY, R_AUTHOR, R_CREATED, R_SLUG, R_DATA, R_KEY, R_NAME };

/* ---- reading ---- */

static json_t *
parse(struct stet_call *call, struct stet_rows *rows, int column)
{
	size_t len;
	const char *text = stet_col_text(rows, column, &len);

	return stet_json_stored(call, text, len);
}

/* Applies a delta to its keyframe: changes `key` into the complete data. */
static void
apply(json_t *key, const json_t *delta)
{
	json_t *mutable = (json_t *)(uintptr_t)delta, *v;
	const char *name;

	json_object_foreach(mutable, name, v)
	{
		if (json_is_null(v))
			json_object_del(key, name);
		else
			json_object_set(key, name, v);
	}
}

static enum stet_status
take(struct stet_rows *rows, struct revision *out)
{
	struct stet_call *call = rows->call;
	json_t *data = parse(call, rows, R_DATA), *key;

	*out = (struct revision){
		.id = stet_col_dup(rows, R_ID),
		.collection = stet_col_dup(rows, R_COLLECTION),
		.entry = stet_col_dup(rows, R_ENTRY),
		.author = stet_col_dup(rows, R_AUTHOR),
		.created = stet_col_dup(rows, R_CREATED),
		.slug = stet_col_dup(rows, R_SLUG),
		.data = data,
	};
	if (!stet_col_null(rows, R_KEY)) {
		key = parse(call, rows, R_KEY);
		if (key != NULL && data != NULL)
			apply(key, data);
		out->data = key;
	}
	if (data == NULL || out->data == NULL)
		return stet_fault(call, "revision %s is not JSON", out->id);
	return STET_OK;
}

static enum stet_status
take_named(struct stet_rows *rows, struct revision *out)
{
	STET_TRY(take(rows, out));
	out->author_name = stet_col_dup(rows, R_NAME);
	return STET_OK;
}

enum stet_status
revision_read_named(struct stet_call *call, const char *id, struct revision *out, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, READ_NAMED "r.id = ?1", STET_ARGS(id)));
	*found = stet_row(&rows);
	if (*found)
		STET_TRY(take_named(&rows, out));
	return stet_rows_end(&rows);
}

enum stet_status
revision_read(struct stet_call *call, const char *id, struct revision *out, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, READ "r.id = ?1", STET_ARGS(id)));
	*found = stet_row(&rows);
	if (*found)
		STET_TRY(take(&rows, out));
	return stet_rows_end(&rows);
}

enum stet_status
revision_text(struct stet_call *call, const char *id, struct revision_text *out, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, READ "r.id = ?1", STET_ARGS(id)));
	*found = stet_row(&rows);
	if (*found)
		*out = (struct revision_text){ .data = stet_col_dup(&rows, R_DATA),
			.key = stet_col_dup(&rows, R_KEY),
			.slug = stet_col_dup(&rows, R_SLUG),
			.created = stet_col_dup(&rows, R_CREATED) };
	return stet_rows_end(&rows);
}

enum stet_status
revision_newest(struct stet_call *call, const char *entry, struct revision *out, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, READ "r.entry_id = ?1 ORDER BY r.id DESC LIMIT 1", STET_ARGS(entry)));
	*found = stet_row(&rows);
	if (*found)
		STET_TRY(take(&rows, out));
	return stet_rows_end(&rows);
}

enum stet_status
revision_walk(struct stet_call *call, const char *entry, const char *before, int64_t limit,
    struct stet_rows *rows)
{
	return stet_query(call, rows,
	    READ_NAMED "r.entry_id = ?1 AND r.id < ?2 ORDER BY r.id DESC LIMIT ?3",
	    STET_ARGS(entry, before != NULL ? before : "~", limit));
}

bool
revision_next(struct stet_rows *rows, struct revision *out)
{
	if (!stet_row(rows))
		return false;
	rows->status = take_named(rows, out);
	return rows->status == STET_OK;
}

enum stet_status
revision_count(struct stet_call *call, const char *entry, int64_t *out)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COUNT(*) FROM revision WHERE entry_id = ?1", STET_ARGS(entry)));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* ---- writing ---- */

/* The newest revision of an item, and its keyframe (which may be itself). */
struct top {
	const char *id, *key, *created;
	json_t *key_data;
	json_t
	    *delta; /* delta of the newest revision to key_data; NULL: the newest is the keyframe */
	size_t key_len;
	int64_t deltas, total;
};

static enum stet_status
top_read(struct stet_call *call, const char *entry, struct top *top)
{
	struct stet_rows rows;

	*top = (struct top){ 0 };
	STET_TRY(stet_query(call, &rows,
	    "SELECT r.id, COALESCE(r.base, r.id), COALESCE(k.data, r.data),"
	    " (SELECT COUNT(*) FROM revision n WHERE n.entry_id = ?1"
	    "  AND n.id > COALESCE(r.base, r.id)),"
	    " (SELECT COUNT(*) FROM revision n WHERE n.entry_id = ?1),"
	    " CASE WHEN k.id IS NULL THEN NULL ELSE r.data END, r.created_at"
	    " FROM revision r LEFT JOIN revision k ON k.id = r.base"
	    " WHERE r.entry_id = ?1 ORDER BY r.id DESC LIMIT 1",
	    STET_ARGS(entry)));
	if (stet_row(&rows)) {
		top->id = stet_col_dup(&rows, 0);
		top->key = stet_col_dup(&rows, 1);
		top->key_data = parse(call, &rows, 2);
		stet_col_text(&rows, 2, &top->key_len);
		top->deltas = stet_col_int(&rows, 3);
		top->total = stet_col_int(&rows, 4);
		top->delta = stet_col_null(&rows, 5) ? NULL : parse(call, &rows, 5);
		top->created = stet_col_dup(&rows, 6);
	}
	return stet_rows_end(&rows);
}

/* Returns true if the newest revision has the values of the row. */
static bool
top_holds(struct stet_call *call, const struct top *top, const struct now *now)
{
	json_t *data;

	if (top->key_data == NULL)
		return false;
	data = stet_json_own(call, json_copy(top->key_data));
	if (top->delta != NULL)
		apply(data, top->delta);
	return json_equal(
	    fit_revision(call, now->collection, now->plan, data, top->created), now->columns);
}

/* Returns the delta from the keyframe; removed members are null in it. */
static json_t *
delta_of(struct stet_call *call, const json_t *key, const json_t *data)
{
	json_t *out = stet_json_own(call, json_object()), *v;
	json_t *mutable = (json_t *)(uintptr_t)data;
	const char *name;

	json_object_foreach(mutable, name, v)
	{
		const json_t *old = json_object_get(key, name);

		if (old == NULL || !json_equal(old, v))
			json_object_set(out, name, v);
	}
	mutable = (json_t *)(uintptr_t)key;
	json_object_foreach(mutable, name, v)
	{
		if (json_object_get(data, name) == NULL)
			json_object_set_new(out, name, json_null());
	}
	return out;
}

static const char *
text_of(struct stet_call *call, const json_t *v, size_t *len)
{
	struct stet_json *json = stet_json_new(call);

	stet_put_json(json, NULL, v);
	return stet_json_text(json, len);
}

/* Returns a new id that sorts after this one, even if the clock was set back between two runs of
 * the daemon: revisions are ordered by their ids. */
static const char *
id_after(struct stet_call *call, const char *last)
{
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	char *id = stet_id(call);

	if (last == NULL || strcmp(id, last) > 0)
		return id;
	id = stet_strdup(call, last);
	for (char *p = id + strlen(id) - 1; p > id; p--) {
		const char *digit = strchr(digits, *p);

		if (digit != NULL && digit[1] != '\0') {
			*p = digit[1];
			break;
		}
		*p = '0';
	}
	return id;
}

static int64_t
kept(struct stet_call *call, const struct stet_collection *collection)
{
	const json_t *n = json_object_get(collection->admin, REVISIONS_KEPT);

	if (!json_is_integer(n))
		n = stet_setting(call, REVISIONS_KEPT);
	return json_is_integer(n) ? json_integer_value(n) : KEPT;
}

static enum stet_status
rewrite(struct stet_call *call, struct stet_tx *tx, const char *id, const char *base,
    const json_t *data)
{
	size_t len;
	const char *text = text_of(call, data, &len);

	return stet_exec(call, tx, "UPDATE revision SET base = ?2, data = ?3 WHERE id = ?1",
	    STET_ARGS(id, base, stet_val_strn(text, len)));
}

/* Before a keyframe is deleted: makes the first delta on it a keyframe, and the others deltas to
 * that one. */
static enum stet_status
move_base(struct stet_call *call, struct stet_tx *tx, const char *entry, const char *id)
{
	struct revision *on = stet_alloc(call, DELTAS_MAX * 2 * sizeof(*on));
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(
	    stet_query(call, &rows, READ "r.entry_id = ?1 AND r.base = ?2 ORDER BY r.id LIMIT ?3",
		STET_ARGS(entry, id, DELTAS_MAX * 2)));
	while (n < DELTAS_MAX * 2 && stet_row(&rows))
		STET_TRY(take(&rows, &on[n++]));
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < n; i++)
		STET_TRY(rewrite(call, tx, on[i].id, i == 0 ? NULL : on[0].id,
		    i == 0 ? on[0].data : delta_of(call, on[0].data, on[i].data)));
	return STET_OK;
}

enum stet_status
revision_delete(struct stet_call *call, struct stet_tx *tx, const char *entry, const char *id)
{
	STET_TRY(move_base(call, tx, entry, id));
	return stet_exec(call, tx, "DELETE FROM revision WHERE id = ?1", STET_ARGS(id));
}

enum stet_status
revision_amend(struct stet_call *call, struct stet_tx *tx, const char *entry, const char *id,
    const json_t *data)
{
	STET_TRY(move_base(call, tx, entry, id));
	return rewrite(call, tx, id, NULL, data);
}

/* Deletes the oldest revisions beyond the limit, except the live one and the draft. */
static enum stet_status
prune(struct stet_call *call, struct stet_tx *tx, const char *entry, const char *live,
    const char *draft, int64_t excess)
{
	const char **victim = stet_alloc(call, (size_t)excess * sizeof(*victim));
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM revision WHERE entry_id = ?1 ORDER BY id LIMIT ?2",
	    STET_ARGS(entry, excess)));
	while (n < (size_t)excess && stet_row(&rows)) {
		victim[n] = stet_col_dup(&rows, 0);
		if ((live == NULL || strcmp(victim[n], live) != 0) &&
		    (draft == NULL || strcmp(victim[n], draft) != 0))
			n++;
	}
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < n; i++)
		STET_TRY(revision_delete(call, tx, entry, victim[i]));
	return STET_OK;
}

/* Returns the time for a revision that is written now. It is not before the creation of the fields
 * that the revision has (all fields, or with `data` those with a value), even if the clock was set
 * back. */
static const char *
time_of(const struct stet_collection *c, const json_t *data, const char *at)
{
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		if (fit_is_newer(c, f, at) &&
		    (data == NULL || json_object_get(data, f->slug) != NULL))
			at = f->created_at;
	}
	return at;
}

/* A revision to be written. */
struct snapshot {
	const json_t *data;
	const char *slug; /* as in struct revision */
	const char *author, *created;
	int64_t version; /* version of the item when it has these values; 0: not known */
};

/* Inserts a revision; it becomes the newest. */
static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct now *now, struct top *top,
    const struct snapshot *r)
{
	const char *base = NULL, *text;
	size_t len, delta_len;

	text = text_of(call, r->data, &len);
	if (top->key_data != NULL && top->deltas < DELTAS_MAX) {
		const char *delta =
		    text_of(call, delta_of(call, top->key_data, r->data), &delta_len);

		if (delta_len * 2 < top->key_len) {
			text = delta;
			len = delta_len;
			base = top->key;
		}
	}
	top->id = id_after(call, top->id);
	top->total++;
	top->deltas = base != NULL ? top->deltas + 1 : 0;
	if (base == NULL) {
		top->key = top->id;
		top->key_data = (json_t *)(uintptr_t)r->data;
		top->key_len = len;
	}
	return stet_exec(call, tx,
	    "INSERT INTO revision (id, collection, entry_id, author_id, created_at, slug, base,"
	    " data, version, last_version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
	    " NULLIF(?9, 0), NULLIF(?9, 0))",
	    STET_ARGS(top->id, (const char *)now->plan->slug, now->id, r->author, r->created,
		r->slug, base, stet_val_strn(text, len), r->version));
}

/* Returns the values of the row as a revision. The last writer is not recorded, so the revision
 * gets the item's author and the time of the last write. */
static struct snapshot
row_of(const struct now *now)
{
	return (struct snapshot){ .data = now->columns,
		.author = now->author,
		.created = time_of(now->collection, now->columns, now->updated),
		/* With a draft, the newest values of that version were the draft's. */
		.version = now->draft == NULL ? now->version : 0 };
}

static enum stet_status
write_pruned(struct stet_call *call, struct stet_tx *tx, const struct now *now, struct top *top,
    const struct snapshot *r, const char *live, const char **id)
{
	int64_t excess;

	STET_TRY(insert(call, tx, now, top, r));
	*id = top->id;
	excess = top->total - kept(call, now->collection);
	return excess > 0 ? prune(call, tx, now->id, live, now->draft, excess) : STET_OK;
}

static struct snapshot
snapshot_of(struct stet_call *call, const struct now *now, const json_t *data, const char *slug)
{
	const struct stet_principal *who = stet_principal(call);

	return (struct snapshot){ data, slug, who != NULL && *who->id != '\0' ? who->id : NULL,
		time_of(now->collection, NULL, stet_time_text(call, stet_now(call))),
		now->version + 1 };
}

enum stet_status
revision_write(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const json_t *data, const char *slug, const char *live, const char **id)
{
	const struct snapshot r = snapshot_of(call, now, data, slug);
	struct top top;

	STET_TRY(top_read(call, now->id, &top));
	return write_pruned(call, tx, now, &top, &r, live, id);
}

enum stet_status
revision_keep(struct stet_call *call, struct stet_tx *tx, const struct now *now, const char **id)
{
	const struct snapshot was = row_of(now);
	struct top top;

	STET_TRY(top_read(call, now->id, &top));
	*id = top.id;
	if (top_holds(call, &top, now))
		return STET_OK;
	return write_pruned(call, tx, now, &top, &was, now->live, id);
}

enum stet_status
revision_replace(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const json_t *data, const char *slug, const char **id)
{
	const struct snapshot r = snapshot_of(call, now, data, slug), was = row_of(now);
	struct top top;

	STET_TRY(top_read(call, now->id, &top));
	if (now->live == NULL && !json_equal(was.data, (json_t *)(uintptr_t)data) &&
	    !top_holds(call, &top, now))
		STET_TRY(insert(call, tx, now, &top, &was));
	return write_pruned(call, tx, now, &top, &r, now->live, id);
}

enum stet_status
revision_forget(struct stet_call *call, struct stet_tx *tx, const char *entry)
{
	return stet_exec(call, tx, "DELETE FROM revision WHERE entry_id = ?1", STET_ARGS(entry));
}

/* ---- versions ---- */

/*
 * A merge starts from the values that the item had at the version in a _rev. Each revision stores
 * the first and the last version of the item whose newest values it has. A write that changes
 * anything else increments the last version (revision_lasts). If a write does not do so, no
 * revision covers the later versions: a merge then finds no base, but never a wrong one. An item
 * may have any number of revisions, so only the newest ones are searched.
 */
#define LASTING_MAX 8 /* one write adds two at most */
#define BASES_MAX 100
enum stet_status
revision_lasts(struct stet_call *call, struct stet_tx *tx, const struct now *now)
{
	if (!now->collection->revisions)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE revision SET last_version = ?2 + 1 WHERE last_version = ?2 AND id IN ("
	    "SELECT id FROM revision WHERE entry_id = ?1 ORDER BY id DESC LIMIT ?3)",
	    STET_ARGS(now->id, now->version, LASTING_MAX));
}

/* Called after an import of files replaced the item: version numbers are now those of the file, so
 * no earlier revision may claim one. */
enum stet_status
revision_unknown(struct stet_call *call, struct stet_tx *tx, const char *entry)
{
	return stet_exec(call, tx,
	    "UPDATE revision SET version = NULL, last_version = NULL WHERE entry_id = ?1",
	    STET_ARGS(entry));
}

enum stet_status
revision_at(struct stet_call *call, const char *entry, int64_t version, const char **id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM (SELECT id, version, last_version FROM revision WHERE entry_id = ?1"
	    " ORDER BY id DESC LIMIT ?3) AS newest"
	    " WHERE version <= ?2 AND last_version >= ?2 ORDER BY id DESC LIMIT 1",
	    STET_ARGS(entry, version, BASES_MAX)));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

/* ---- as JSON ---- */

const struct stet_member revision_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "entryId", STET_STRING, STET_REQUIRED },
	{ "data", STET_OBJECT, STET_REQUIRED,
	    .about = "Snapshot of the item's data; _slug when the slug was changed with it" },
	{ "authorId", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "authorName", STET_STRING, STET_REQUIRED | STET_NULLABLE,
	    "Name or email of the author; null: no author, or a deleted one" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};

void
revision_put_data(struct stet_json *out, const char *key, const struct revision *r)
{
	json_t *v;
	const char *name;

	stet_object(out, key);
	json_object_foreach(r->data, name, v) stet_put_json(out, name, v);
	if (r->slug != NULL)
		stet_put_str(out, "_slug", *r->slug != '\0' ? r->slug : NULL);
	stet_close(out);
}

void
revision_put(struct stet_json *out, const char *key, const struct revision *r)
{
	stet_object(out, key);
	stet_put_str(out, "id", r->id);
	stet_put_str(out, "collection", r->collection);
	stet_put_str(out, "entryId", r->entry);
	revision_put_data(out, "data", r);
	stet_put_str(out, "authorId", r->author);
	stet_put_str(out, "authorName", r->author_name);
	stet_put_str(out, "createdAt", r->created);
	stet_close(out);
}
