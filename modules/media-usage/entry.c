/*
 * entry.c - writes the uses of an item into the index.
 *
 * The index has a row for each media item that an item uses, with the places. For each media item
 * and collection it has a row with the number of these uses. So a count, or a page of uses, reads
 * no more rows than it needs. A save that changes no use costs one look-up.
 */
#include "media-usage.h"
#include <stdlib.h>
#include <string.h>

/* An item's use of a media item. */
struct use {
	const char *media;
	bool active;
	const char *sources; /* JSON: where, as clients get it */
};
struct uses {
	struct use *list;
	size_t count;
};

/* ---- from references to uses ---- */

static int
by_place(const void *a, const void *b)
{
	const struct ref *x = a, *y = b;
	int order = strcmp(x->media, y->media);

	if (order == 0)
		order = (int)x->variant - (int)y->variant;
	return order != 0 ? order : strcmp(x->path, y->path);
}

static void
put_ref(struct stet_json *out, const struct ref *r)
{
	stet_object(out, NULL);
	stet_put_str(out, "fieldSlug", r->field);
	stet_put_str(out, "fieldPath", r->path);
	stet_put_int(out, "occurrenceIndex", 0);
	stet_put_str(out, "referenceType", r->type);
	stet_close(out);
}

/* Returns true if `ref` is a URL beside an id of the same media item, as in the asset of an image
 * block, or the same file again in one text: it is not listed then. */
static bool
is_told(const struct ref *before, const struct ref *ref)
{
	const char *dot = strrchr(ref->path, '.');
	size_t len = dot != NULL ? (size_t)(dot - ref->path) : 0;

	if (ref->file == NULL)
		return false;
	if (strcmp(before->path, ref->path) == 0)
		return true;
	return len > 0 && strncmp(before->path, ref->path, len) == 0 &&
	       (before->path[len] == '\0' ||
		   (before->path[len] == '.' && strchr(before->path + len + 1, '.') == NULL));
}

/* Returns the sources of the references from `from` to before `to`, which are to one media item. */
static const char *
sources_of(const struct refs *refs, size_t from, size_t to)
{
	struct stet_json *out = stet_json_new(refs->call);

	stet_array(out, NULL);
	while (from < to) {
		enum variant variant = refs->list[from].variant;
		const struct ref *last = NULL;

		stet_object(out, NULL);
		stet_put_str(out, "variant", variant == COLUMNS ? "columns" : "draft_overlay");
		stet_array(out, "occurrences");
		for (; from < to && refs->list[from].variant == variant; from++) {
			if (last != NULL && is_told(last, &refs->list[from]))
				continue;
			last = &refs->list[from];
			put_ref(out, last);
		}
		stet_close(out);
		stet_close(out);
	}
	stet_close(out);
	return stet_json_text(out, NULL);
}

static void
gather(struct refs *refs, bool active, struct uses *uses)
{
	uses->list = stet_alloc(refs->call, (refs->count + 1) * sizeof(*uses->list));
	if (refs->count > 1)
		qsort(refs->list, refs->count, sizeof(*refs->list), by_place);
	for (size_t i = 0, next = 0; i < refs->count; i = next) {
		const char *media = refs->list[i].media;

		while (next < refs->count && strcmp(refs->list[next].media, media) == 0)
			next++;
		uses->list[uses->count++] =
		    (struct use){ media, active, sources_of(refs, i, next) };
	}
}

/* ---- reading an item ---- */

struct row {
	bool there, published, trashed, indexed;
	const char *draft;
};

static bool
counts(const struct stet_field *f, const char *without)
{
	return field_may_use(f) && (without == NULL || strcmp(f->slug, without) != 0);
}

/* Reads the row, and the references in its columns. */
static enum stet_status
read_row(struct stet_call *call, const struct stet_collection *c, const char *id,
    const char *without, struct row *row, struct refs *refs)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	int column = 3;

	stet_sql_add(sql, "SELECT status, deleted_at, draft_revision_id");
	for (size_t i = 0; i < part_count(c); i++)
		if (counts(part_at(c, i), without)) {
			stet_sql_add(sql, ", ");
			stet_sql_ident(sql, STET_FIELD_COLUMN, part_at(c, i)->slug);
		}
	stet_sql_add(sql, ", EXISTS (SELECT 1 FROM media_use WHERE collection_id = ");
	stet_sql_bind(sql, stet_val_str(c->id));
	stet_sql_add(sql, " AND content_id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, ") FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	*row = (struct row){ .there = stet_row(&rows) };
	if (!row->there)
		return stet_rows_end(&rows);
	row->published = strcmp(stet_col_str(&rows, 0), "published") == 0;
	row->trashed = !stet_col_null(&rows, 1);
	row->draft = c->revisions ? stet_col_dup(&rows, 2) : NULL;
	for (size_t i = 0; i < part_count(c); i++)
		if (counts(part_at(c, i), without)) {
			size_t len = 0;
			const char *text = stet_col_text(&rows, column++, &len);

			extract_column(refs, part_at(c, i), text, len);
		}
	row->indexed = stet_col_int(&rows, column) != 0;
	return stet_rows_end(&rows);
}

/* Takes them from a row that has been read. Whether the index has uses shows when it is read. */
static void
take_row(const struct stet_collection *c, const struct stet_item_row *known, struct row *row,
    struct refs *refs)
{
	*row = (struct row){ .there = true,
		.published = strcmp(known->status, "published") == 0,
		.indexed = !known->is_new,
		.draft = c->revisions ? known->draft : NULL };
	for (size_t i = 0; i < part_count(c) && i < known->fields; i++)
		if (field_may_use(part_at(c, i)) && known->field[i].type == STET_V_TEXT)
			extract_column(
			    refs, part_at(c, i), known->field[i].u.s, known->field[i].len);
}

/* Reads only the draft of an unpublished item that has one: the columns will never be public. */
enum stet_status
entry_read(struct stet_call *call, const struct stet_collection *c, const char *id,
    const char *without, const struct stet_item_row *known, struct entry *out)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct refs refs = { .call = call };
	const json_t *draft = NULL;
	const char *slug;
	struct row row;

	*out = (struct entry){ .uses = stet_alloc(call, sizeof(*out->uses)) };
	if (holder_of(c) != NULL) {
		row = (struct row){ .trashed = true }; /* its uses do not count, as in the trash */
		STET_TRY(holder_read(call, holder_of(c), id, &refs, &row.there, &row.indexed));
	} else if (known != NULL)
		take_row(c, known, &row, &refs);
	else
		STET_TRY(read_row(call, c, id, without, &row, &refs));
	if (row.draft != NULL)
		STET_TRY(content->draft(call, c, id, &draft, &slug));
	if (draft != NULL && !row.published)
		refs.count = 0;
	refs.variant = DRAFT_OVERLAY;
	for (size_t i = 0; draft != NULL && i < part_count(c); i++)
		if (counts(part_at(c, i), without))
			extract(&refs, part_at(c, i), json_object_get(draft, part_at(c, i)->slug));
	out->there = row.there;
	out->active = row.there && !row.trashed;
	out->broken = row.draft != NULL && draft == NULL;
	out->sources = row.there ? 1 + (draft != NULL) : 0;
	out->indexed = !row.there || row.indexed;
	STET_TRY(urls_resolve(&refs));
	out->files = refs.files;
	gather(&refs, out->active, out->uses);
	return STET_OK;
}

/* ---- the index ---- */

static int
by_media(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	return strcmp(x->media, y->media);
}

/* Reads the uses that the index has, in the order of the ids of media items. */
static enum stet_status
read_stored(struct stet_call *call, const char *collection_id, const char *id, struct uses *out)
{
	struct stet_rows rows;
	size_t room = 0;

	*out = (struct uses){ 0 };
	STET_TRY(stet_query(call, &rows,
	    "SELECT media_id, active, sources FROM media_use WHERE collection_id = ?1 AND "
	    "content_id = ?2",
	    STET_ARGS(collection_id, id)));
	while (stet_row(&rows)) {
		if (out->count == room) {
			struct use *list;

			room = room > 0 ? 2 * room : 8;
			list = stet_alloc(call, room * sizeof(*list));
			for (size_t i = 0; i < out->count; i++)
				list[i] = out->list[i];
			out->list = list;
		}
		out->list[out->count++] = (struct use){ stet_col_dup(&rows, 0),
			stet_col_int(&rows, 1) != 0, stet_col_dup(&rows, 2) };
	}
	if (out->count > 1)
		qsort(out->list, out->count, sizeof(*out->list), by_media);
	return stet_rows_end(&rows);
}

struct change {
	struct stet_call *call;
	struct stet_tx *tx;
	const char *collection, *id;
};

static enum stet_status
count(const struct change *c, const char *media, int active, int uses)
{
	if (active == 0 && uses == 0)
		return STET_OK;
	STET_TRY(stet_exec(c->call, c->tx,
	    "INSERT INTO media_use_count (media_id, collection_id, active, uses) VALUES (?1, ?2, "
	    "?3, ?4) ON CONFLICT (media_id, collection_id) DO UPDATE SET active = "
	    "media_use_count.active + ?3, uses = media_use_count.uses + ?4",
	    STET_ARGS(media, c->collection, active, uses)));
	if (uses >= 0)
		return STET_OK;
	return stet_exec(c->call, c->tx,
	    "DELETE FROM media_use_count WHERE media_id = ?1 AND collection_id = ?2 AND uses <= 0",
	    STET_ARGS(media, c->collection));
}

static enum stet_status
add_use(const struct change *c, const struct use *use)
{
	STET_TRY(stet_exec(c->call, c->tx,
	    "INSERT INTO media_use (media_id, collection_id, content_id, active, sources) VALUES "
	    "(?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(use->media, c->collection, c->id, use->active, use->sources)));
	return count(c, use->media, use->active, 1);
}

static enum stet_status
remove_use(const struct change *c, const struct use *use)
{
	STET_TRY(stet_exec(c->call, c->tx,
	    "DELETE FROM media_use WHERE media_id = ?1 AND collection_id = ?2 AND content_id = ?3",
	    STET_ARGS(use->media, c->collection, c->id)));
	return count(c, use->media, -(int)use->active, -1);
}

static bool
same(const struct use *a, const struct use *b)
{
	return a->active == b->active && strcmp(a->sources, b->sources) == 0;
}

static enum stet_status
change_use(const struct change *c, const struct use *old, const struct use *use)
{
	if (same(old, use))
		return STET_OK;
	STET_TRY(stet_exec(c->call, c->tx,
	    "UPDATE media_use SET active = ?4, sources = ?5 WHERE media_id = ?1 AND collection_id "
	    "= ?2 AND content_id = ?3",
	    STET_ARGS(use->media, c->collection, c->id, use->active, use->sources)));
	return count(c, use->media, (int)use->active - (int)old->active, 0);
}

/* Stores the media items of file names, so that a use stays until the item changes, even if the
 * file is deleted. */
static enum stet_status
remember(struct stet_call *call, struct stet_tx *tx, const struct file *files)
{
	for (; files != NULL; files = files->next)
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO media_use_file (storage_key, media_id) VALUES (?1, ?2) ON "
		    "CONFLICT (storage_key) DO NOTHING",
		    STET_ARGS(files->name, files->media)));
	return STET_OK;
}

enum stet_status
entry_write(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *id, const struct entry *entry, int64_t *removed)
{
	const struct change change = { call, tx, c->id, id };
	const struct uses *uses = entry->uses;
	struct uses old;
	size_t i = 0, k = 0;

	if (!entry->indexed && uses->count == 0)
		return STET_OK;
	STET_TRY(remember(call, tx, entry->files));
	STET_TRY(read_stored(call, c->id, id, &old));
	while (i < old.count || k < uses->count) {
		int order = i == old.count     ? 1
			    : k == uses->count ? -1
					       : by_media(&old.list[i], &uses->list[k]);

		if (order < 0) {
			STET_TRY(remove_use(&change, &old.list[i++]));
			if (removed != NULL)
				(*removed)++;
		} else if (order > 0)
			STET_TRY(add_use(&change, &uses->list[k++]));
		else
			STET_TRY(change_use(&change, &old.list[i++], &uses->list[k++]));
	}
	return STET_OK;
}

enum stet_status
entry_compare(struct stet_call *call, const struct stet_collection *c, const char *id,
    const struct entry *entry, const char **why)
{
	const struct uses *uses = entry->uses;
	struct uses old;

	*why = NULL;
	STET_TRY(read_stored(call, c->id, id, &old));
	for (size_t i = 0; *why == NULL && (i < old.count || i < uses->count); i++) {
		int order = i == old.count     ? 1
			    : i == uses->count ? -1
					       : by_media(&old.list[i], &uses->list[i]);

		if (order > 0)
			*why = stet_printf(
			    call, "uses %s, which the index does not say", uses->list[i].media);
		else if (order < 0)
			*why = stet_printf(
			    call, "does not use %s, as the index says", old.list[i].media);
		else if (!same(&old.list[i], &uses->list[i]))
			*why = stet_printf(
			    call, "uses %s otherwise than the index says", uses->list[i].media);
	}
	return STET_OK;
}

/* ---- the hook ---- */

static bool
any_refers(const struct stet_collection *c)
{
	for (size_t i = 0; i < part_count(c); i++)
		if (field_may_use(part_at(c, i)))
			return true;
	return false;
}

/* A schedule changes no use. */
enum stet_status
usage_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *id, const char *change, int64_t version)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const struct stet_item_row *row = NULL;
	struct entry entry;

	(void)version;
	if (strcmp(change, "schedule") == 0 || !any_refers(c))
		return STET_OK;
	if (strcmp(change, "delete") != 0 && strcmp(change, "purge") != 0)
		STET_TRY(content->row(call, c, id, &row));
	STET_TRY(entry_read(call, c, id, NULL, row, &entry));
	return entry_write(call, tx, c, id, &entry, NULL);
}
