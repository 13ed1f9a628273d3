/* credits.c - the credits of items: validates, stores and deletes them. */
#include "bylines.h"
#include <string.h>

#define ROLE_MAX 200 /* characters */
#define ID_MAX 64 /* bytes */

struct stet_credits {
	size_t count;
	struct credit {
		const char *group; /* translation group of the byline */
		const char *role; /* "Photographs"; may be NULL */
	} credit[];
};

/* ---- check ---- */

static void
check_member(struct stet_call *call, const char *path, size_t i, const json_t *credit)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)credit, name,
	    value) if (strcmp(name, "bylineId") != 0 && strcmp(name, "roleLabel") != 0)
	    stet_issue(call, stet_printf(call, "%s[%zu].%s", path, i, name), "is not known");
}

/* Reads the two members of a credit. Returns false if an issue was recorded. */
static bool
read_credit(
    struct stet_call *call, const char *path, size_t i, const json_t *credit, struct credit *out)
{
	const json_t *id = json_object_get(credit, "bylineId");
	const json_t *role = json_object_get(credit, "roleLabel");
	bool good = true;

	if (!json_is_object(credit)) {
		stet_issue(call, stet_printf(call, "%s[%zu]", path, i), "must be an object");
		return false;
	}
	check_member(call, path, i, credit);
	if (!json_is_string(id) || json_string_length(id) == 0 || json_string_length(id) > ID_MAX ||
	    strlen(json_string_value(id)) != json_string_length(id)) {
		stet_issue(call, stet_printf(call, "%s[%zu].bylineId", path, i),
		    id == NULL ? "is required" : "must be the id of a byline");
		good = false;
	}
	if (role != NULL && !json_is_null(role) &&
	    (!json_is_string(role) || strlen(json_string_value(role)) != json_string_length(role) ||
		stet_utf8_length(json_string_value(role)) > ROLE_MAX)) {
		stet_issue(call, stet_printf(call, "%s[%zu].roleLabel", path, i),
		    "must be a string of at most %d characters, or null", ROLE_MAX);
		good = false;
	}
	out->group = json_string_value(id);
	out->role = json_string_value(role);
	return good;
}

/* Returns the group of the byline with this id, or `id` itself if it is a group; otherwise NULL. */
static enum stet_status
find_group(struct stet_call *call, const char *id, const char **group)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT translation_group FROM byline WHERE id = ?1 UNION ALL"
	    " SELECT translation_group FROM byline WHERE translation_group = ?1 LIMIT 1",
	    STET_ARGS(id)));
	*group = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

/* Returns true if the list has the person: a second credit of a person is ignored. */
static bool
is_listed(const struct stet_credits *c, const char *group)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->credit[i].group, group) == 0)
			return true;
	return false;
}

/* Returns true for a credit in the form of a reply, which a client sends back. */
static bool
is_echo(const json_t *credit)
{
	return json_is_object(json_object_get(credit, "byline")) &&
	       json_is_string(json_object_get(credit, "source")) &&
	       json_object_get(credit, "bylineId") == NULL;
}

static enum stet_status
check(struct stet_call *call, const char *path, const json_t *bylines, struct stet_credits **out)
{
	size_t n = json_array_size(bylines);
	struct stet_credits *c =
	    stet_alloc(call, sizeof(*c) + STET_CREDITS_MAX * sizeof(c->credit[0]));

	*out = c;
	if (!json_is_array(bylines)) {
		stet_issue(call, path, "must be an array");
		return STET_OK;
	}
	if (n > STET_CREDITS_MAX) {
		stet_issue(call, path, "must have at most %d elements", STET_CREDITS_MAX);
		return STET_OK;
	}
	if (n > 0 && is_echo(json_array_get(bylines, 0))) {
		*out = NULL;
		return STET_OK;
	}
	for (size_t i = 0; i < n; i++) {
		struct credit *credit = &c->credit[c->count];
		const char *group;

		if (!read_credit(call, path, i, json_array_get(bylines, i), credit))
			continue;
		STET_TRY(find_group(call, credit->group, &group));
		credit->group = group;
		if (group == NULL)
			stet_issue(call, stet_printf(call, "%s[%zu].bylineId", path, i),
			    "is not a byline");
		else if (!is_listed(c, group))
			c->count++;
	}
	return STET_OK;
}

/* ---- storing, copying, deleting ---- */

static enum stet_status
set_primary(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const char *group)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " SET primary_byline_id = ");
	stet_sql_bind(sql, stet_val_str(group));
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	return stet_sql_exec(sql, tx);
}

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	return stet_exec(call, tx,
	    "DELETE FROM content_byline WHERE collection = ?1 AND entry_id = ?2",
	    STET_ARGS(collection, id));
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const struct stet_credits *c)
{
	STET_TRY(forget(call, tx, collection, id));
	for (size_t i = 0; i < c->count; i++)
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO content_byline"
		    " (collection, entry_id, position, byline_group, role_label)"
		    " VALUES (?1, ?2, ?3, ?4, ?5)",
		    STET_ARGS(collection, id, (int64_t)i, c->credit[i].group, c->credit[i].role)));
	return set_primary(call, tx, collection, id, c->count > 0 ? c->credit[0].group : NULL);
}

static enum stet_status
copy(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *from,
    const char *to)
{
	const char *primary = NULL;
	struct stet_rows rows;

	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO content_byline (collection, entry_id, position, byline_group, role_label)"
	    " SELECT collection, ?3, position, byline_group, role_label FROM content_byline"
	    " WHERE collection = ?1 AND entry_id = ?2",
	    STET_ARGS(collection, from, to)));
	if (stet_changes(call) == 0)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT byline_group FROM content_byline WHERE collection = ?1 AND entry_id = ?2"
	    " ORDER BY position LIMIT 1",
	    STET_ARGS(collection, to)));
	if (stet_row(&rows))
		primary = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return set_primary(call, tx, collection, to, primary);
}

/* ---- credits in drafts ---- */

static json_t *
credit_json(const char *group, const char *role)
{
	return json_pack("{s:s, s:s?}", "bylineId", group, "roleLabel", role);
}

static json_t *
keep(struct stet_call *call, const struct stet_credits *c)
{
	json_t *out = stet_json_own(call, json_array());

	for (size_t i = 0; i < c->count; i++)
		json_array_append_new(out, credit_json(c->credit[i].group, c->credit[i].role));
	return out;
}

static enum stet_status
kept(struct stet_call *call, const json_t *from, struct stet_credits **out)
{
	struct stet_credits *c =
	    stet_alloc(call, sizeof(*c) + STET_CREDITS_MAX * sizeof(c->credit[0]));

	*out = c;
	for (size_t i = 0; i < json_array_size(from) && c->count < STET_CREDITS_MAX; i++) {
		const json_t *credit = json_array_get(from, i);
		const char *id = json_string_value(json_object_get(credit, "bylineId")), *group;

		if (id == NULL)
			continue;
		STET_TRY(find_group(call, id, &group));
		if (group == NULL || is_listed(c, group))
			continue;
		c->credit[c->count++] = (struct credit){ group,
			json_string_value(json_object_get(credit, "roleLabel")) };
	}
	return STET_OK;
}

static enum stet_status
stored(struct stet_call *call, const char *collection, const char *id, json_t **out)
{
	struct stet_rows rows;

	*out = stet_json_own(call, json_array());
	STET_TRY(stet_query(call, &rows,
	    "SELECT byline_group, role_label FROM content_byline"
	    " WHERE collection = ?1 AND entry_id = ?2 ORDER BY position",
	    STET_ARGS(collection, id)));
	while (stet_row(&rows))
		json_array_append_new(
		    *out, credit_json(stet_col_str(&rows, 0), stet_col_str(&rows, 1)));
	return stet_rows_end(&rows);
}

/* ---- when a byline or a collection is deleted ---- */

/* Makes the next credit primary in items whose first credit is deleted. */
static enum stet_status
next_primary(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *group)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " SET primary_byline_id = (SELECT c.byline_group FROM content_byline AS c"
			  " WHERE c.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND c.entry_id = ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, ".id AND c.byline_group <> ");
	stet_sql_bind(sql, stet_val_str(group));
	stet_sql_add(sql, " ORDER BY c.position LIMIT 1) WHERE primary_byline_id = ");
	stet_sql_bind(sql, stet_val_str(group));
	stet_sql_add(sql, " AND id IN (SELECT entry_id FROM content_byline WHERE byline_group = ");
	stet_sql_bind(sql, stet_val_str(group));
	stet_sql_add(sql, " AND collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

static enum stet_status
is_credited(struct stet_call *call, const char *collection, const char *group, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM content_byline WHERE byline_group = ?1 AND collection = ?2 LIMIT 1",
	    STET_ARGS(group, collection)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
credits_drop(struct stet_call *call, struct stet_tx *tx, const char *group)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *c = NULL;
	size_t count = 0;
	bool credited;

	if (schema == NULL)
		return stet_fault(call, "the schema module offers no service");
	STET_TRY(schema->collections(call, &c, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(is_credited(call, c[i]->slug, group, &credited));
		if (credited)
			STET_TRY(next_primary(call, tx, c[i]->slug, group));
	}
	return stet_exec(
	    call, tx, "DELETE FROM content_byline WHERE byline_group = ?1", STET_ARGS(group));
}

enum stet_status
credits_schema(struct stet_call *call, struct stet_tx *tx, const char *change,
    const char *collection, const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	return stet_exec(
	    call, tx, "DELETE FROM content_byline WHERE collection = ?1", STET_ARGS(collection));
}

/* ---- the service ---- */

/* The slot of the snapshot, or of the write transaction. */
static void **
version_slot(struct stet_call *call)
{
	static const char key;

	return stet_writing(call) ? stet_tx_slot(call, &key, "byline byline_state")
				  : stet_snapshot_slot(call, &key);
}

static enum stet_status
version(struct stet_call *call, int64_t *out)
{
	void **slot = version_slot(call);
	struct stet_rows rows;
	int64_t *kept;

	if (slot != NULL && *slot != NULL) {
		*out = *(int64_t *)*slot;
		return STET_OK;
	}
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT CASE WHEN EXISTS (SELECT 1 FROM byline) THEN version ELSE 0 END"
	    " FROM byline_state WHERE id = 1",
	    STET_NO_ARGS));
	*out = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	/* Ask for the slot again: the query may have begun the snapshot. */
	slot = version_slot(call);
	if (slot != NULL && *slot == NULL) {
		kept = stet_writing(call) ? stet_tx_alloc(call, sizeof(*kept))
					  : stet_snapshot_alloc(call, sizeof(*kept));
		*kept = *out;
		*slot = kept;
	}
	return STET_OK;
}

const struct stet_bylines_1 bylines_service = {
	.check = check,
	.store = store,
	.copy = copy,
	.forget = forget,
	.version = version,
	.read = credits_read,
	.put = credits_put,
	.person = byline_person,
	.filter = filter_read,
	.filter_put = filter_put,
	.filter_ids = filter_ids,
	.avatars = avatars,
	.keep = keep,
	.kept = kept,
	.stored = stored,
	.put_list = credits_put_list,
};
