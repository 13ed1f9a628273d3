/* store.c - releases and their changes in the database. */
#include "releases.h"
#include <string.h>

bool
release_is(const struct release *r, const char *status)
{
	return strcmp(r->status, status) == 0;
}

enum stet_status
release_find(struct stet_call *call, const char *id, struct release *r)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    stet_is_id(id) ? "SELECT " RELEASE_COLUMNS ", tries FROM release WHERE id = ?1"
			   : "SELECT " RELEASE_COLUMNS ", tries FROM release WHERE name = ?1",
	    STET_ARGS(id)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_NOT_FOUND, "id", "There is no release %s", id);
	}
	*r = (struct release){ .id = stet_col_dup(&rows, R_ID),
		.name = stet_col_dup(&rows, R_NAME),
		.status = stet_col_dup(&rows, R_STATUS),
		.created_by = stet_col_dup(&rows, R_CREATED_BY),
		.scheduled_at = stet_col_dup(&rows, R_SCHEDULED),
		.scheduled_by = stet_col_dup(&rows, R_SCHEDULED_BY),
		.error = stet_col_dup(&rows, R_ERROR),
		.tries = stet_col_int(&rows, R_COLUMNS),
		.is_published = !stet_col_null(&rows, R_PUBLISHED),
		.allows = stet_col_int(&rows, R_ALLOWS) != 0 };
	return stet_rows_end(&rows);
}

enum stet_status
release_mine(struct stet_call *call, const struct release *r)
{
	return stet_require_owned(call, "releases:manage", "releases:manage_any", r->created_by);
}

/* ---- changes ---- */

bool
change_deletes(const struct change *c)
{
	return c->action != NULL && strcmp(c->action, "delete") == 0;
}

static const json_t *
json_of(struct stet_call *call, struct stet_rows *rows, int column)
{
	size_t len;
	const char *text = stet_col_text(rows, column, &len);

	return text != NULL ? stet_json_own(call, json_loadb(text, len, JSON_DECODE_ANY, NULL))
			    : NULL;
}

static enum kind
kind_of(const char *name)
{
	int i = 0;

	while (i < SETTINGS && strcmp(kind_names[i], name) != 0)
		i++;
	return (enum kind)i;
}

#define CHANGE_COLUMNS                                                           \
	"id, kind, action, collection, item, name, slug, locale, content, base," \
	" before_state, after_mark, added_at, added_by"
#define CHANGE_MORE 14 /* the number of these columns */

static struct change
read_row(struct stet_call *call, struct stet_rows *rows)
{
	return (struct change){ .id = stet_col_dup(rows, 0),
		.kind = kind_of(stet_col_str(rows, 1)),
		.action = stet_col_dup(rows, 2),
		.collection = stet_col_dup(rows, 3),
		.item = stet_col_dup(rows, 4),
		.name = stet_col_dup(rows, 5),
		.slug = stet_col_dup(rows, 6),
		.locale = stet_col_dup(rows, 7),
		.content = json_of(call, rows, 8),
		.base = json_of(call, rows, 9),
		.before = json_of(call, rows, 10),
		.after = json_of(call, rows, 11),
		.added_at = stet_col_dup(rows, 12),
		.added_by = stet_col_dup(rows, 13) };
}

enum stet_status
changes_read(struct stet_call *call, const struct release *r, struct changes *out)
{
	struct stet_rows rows;
	bool more = false;

	*out = (struct changes){ stet_alloc(call, CHANGES_MAX * sizeof(*out->change)), 0 };
	STET_TRY(stet_query(call, &rows,
	    "SELECT " CHANGE_COLUMNS " FROM release_change WHERE release_id = ?1 ORDER BY rank, id",
	    STET_ARGS(r->id)));
	while (!more && stet_row(&rows)) {
		more = out->count == CHANGES_MAX;
		if (!more)
			out->change[out->count++] = read_row(call, &rows);
	}
	STET_TRY(stet_rows_end(&rows));
	return more ? stet_fault(call, "release %s has more than %d changes", r->id, CHANGES_MAX)
		    : STET_OK;
}

enum stet_status
changes_count(struct stet_call *call, const struct release *r)
{
	struct stet_rows rows;
	int64_t n;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM release_change WHERE release_id = ?1", STET_ARGS(r->id)));
	n = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return n <= CHANGES_MAX ? STET_OK
				: stet_fail(call, STET_CONFLICT, "add",
				      "A release has at most %d changes", CHANGES_MAX);
}

static const char *
dump(struct stet_call *call, const json_t *value)
{
	struct stet_json *out;

	if (value == NULL)
		return NULL;
	out = stet_json_new(call);
	stet_put_json(out, NULL, value);
	return stet_json_text(out, NULL);
}

/* Two changes of one release cannot have the same subject. */
static const char *
subject(struct stet_call *call, const struct change *c)
{
	const char *parts[] = { kind_names[c->kind], c->collection, c->item, c->name, c->slug,
		c->locale };
	const char *out = "";

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		out = stet_printf(call, "%s%s\n", out, parts[i] != NULL ? parts[i] : "");
	return out;
}

/* The order of publication: first terms, since items may have them; what is unpublished comes after
 * what is published, since that may take its place; terms are deleted last, when nothing refers to
 * them any more. */
static int
rank_of(const struct change *c)
{
	static const int ranks[KINDS] = { [TERM] = 0, [ITEM] = 1, [MENU] = 3, [SETTINGS] = 4 };

	if (change_deletes(c))
		return 5;
	return ranks[c->kind] +
	       (c->kind == ITEM && c->action != NULL && strcmp(c->action, "unpublish") == 0);
}

enum stet_status
change_find(
    struct stet_call *call, const char *id, struct change *c, const char **release, bool *sound)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT " CHANGE_COLUMNS
	    ", release_id, subject, rank FROM release_change WHERE id = ?1",
	    STET_ARGS(id)));
	*c = read_row(call, &rows);
	*release = stet_col_dup(&rows, CHANGE_MORE);
	*sound = strcmp(stet_col_str(&rows, CHANGE_MORE + 1), subject(call, c)) == 0 &&
		 stet_col_int(&rows, CHANGE_MORE + 2) == rank_of(c);
	return stet_rows_end(&rows);
}

enum stet_status
change_there(struct stet_call *call, const struct release *r, const struct change *c, bool *there,
    const char **by)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT added_by FROM release_change WHERE release_id = ?1 AND subject = ?2",
	    STET_ARGS(r->id, subject(call, c))));
	*there = stet_row(&rows);
	*by = *there ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
change_store(struct stet_call *call, struct stet_tx *tx, const struct release *r, struct change *c)
{
	const char *key = subject(call, c);

	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM release_change WHERE release_id = ?1 AND subject = ?2",
		STET_ARGS(r->id, key)));
	c->id = stet_id(call);
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO release_change (id, release_id, subject, kind, action, collection, item,"
	    " name, slug, locale, base, added_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
	    STET_ARGS(c->id, r->id, key, kind_names[c->kind], c->action, c->collection, c->item,
		c->name, c->slug, c->locale, dump(call, c->base),
		stet_time_text(call, stet_now(call)))));
	return stet_exec(call, tx,
	    "UPDATE release_change SET content = ?2, added_by = ?3, rank = ?4 WHERE id = ?1",
	    STET_ARGS(c->id, dump(call, c->content), caller(call), rank_of(c)));
}

enum stet_status
change_mark(struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *base,
    const json_t *before, const json_t *after)
{
	return stet_exec(call, tx,
	    "UPDATE release_change SET base = ?2, before_state = ?3, after_mark = ?4 WHERE id = ?1",
	    STET_ARGS(c->id, dump(call, base), dump(call, before), dump(call, after)));
}
