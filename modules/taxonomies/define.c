/*
 * define.c - taxonomies: lists and finds them, defines them for a locale, changes and deletes
 * them.
 */
#include "taxonomies.h"
#include <stet/changes.h>
#include <string.h>

#define DEFINITIONS_MAX 1000 /* on one site: the list has no pages */
#define COLLECTIONS_MAX 100

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)
#define NAME_PATTERN "^[a-z][a-z0-9_]*(?![\\s\\S])"

static const struct stet_member taxonomy_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "name", STET_STRING, HAS, .about = "What its terms are found by; never changes" },
	{ "label", STET_STRING, HAS },
	{ "labelSingular", STET_STRING, MAY_BE_NULL },
	{ "hierarchical", STET_BOOLEAN, HAS, .about = "Terms may have parents" },
	{ "collections", STET_ARRAY, HAS, .item = STET_STRING, .about = "Whose items have terms" },
	{ "locale", STET_STRING, HAS },
	{ "translationGroup", STET_STRING, HAS, .about = "Shared by all locales of a taxonomy" },
	{ 0 },
};
const struct stet_member taxonomy_out[] = {
	{ "taxonomy", STET_OBJECT, HAS, .of = taxonomy_shape },
	{ 0 },
};
const struct stet_member taxonomy_list_in[] = {
	{ "locale", STET_STRING, .about = "Only definitions of this locale", STET_RANGE(1, 64) },
	{ 0 },
};
const struct stet_member taxonomy_list_out[] = {
	{ "taxonomies", STET_ARRAY, HAS, .of = taxonomy_shape },
	{ 0 },
};
const struct stet_member taxonomy_by_name[] = {
	{ "name", STET_STRING, HAS, .about = "Name of the taxonomy" },
	{ "locale", STET_STRING, .about = "The default or the lowest locale when it has none",
	    STET_RANGE(1, 64) },
	{ 0 },
};

/* clang-format off */
#define LABELS(required) \
	{ "label", STET_STRING, required, STET_RANGE(1, 200), .about = "As people see it: Genres" }, \
	{ "labelSingular", STET_STRING, STET_NULLABLE, STET_RANGE(1, 200), .about = "Genre" }, \
	{ "hierarchical", STET_BOOLEAN, .about = "Terms may have parents" }, \
	{ "collections", STET_ARRAY, .item = STET_STRING, STET_RANGE(0, COLLECTIONS_MAX), \
	    .about = "Slugs of collections" }
/* clang-format on */
const struct stet_member taxonomy_create_in[] = {
	{ "name", STET_STRING, HAS, .pattern = NAME_PATTERN, STET_RANGE(1, 63),
	    .about = "a-z, 0-9 and _" },
	LABELS(HAS),
	{ "locale", STET_STRING, .about = "The site's default when omitted", STET_RANGE(1, 64) },
	{ "translationOf", STET_STRING, STET_RANGE(1, 64),
	    .about = "Id of the definition in another locale; hierarchical and collections are "
		     "its when omitted" },
	{ 0 },
};
const struct stet_member taxonomy_update_in[] = {
	{ "name", STET_STRING, HAS, .about = "Name of the taxonomy, which cannot change" },
	LABELS(0),
	{ "locale", STET_STRING, STET_QUERY, .about = "The lowest when omitted",
	    STET_RANGE(1, 64) },
	{ 0 },
};
const struct stet_member taxonomy_delete_in[] = {
	{ "name", STET_STRING, HAS, .about = "Name of the taxonomy" },
	{ 0 },
};
static const struct stet_member removes_shape[] = {
	{ "terms", STET_INTEGER, HAS, .about = "In all locales" },
	{ "items", STET_INTEGER, HAS,
	    .about = "Assignments to items; an item and its translations are one" },
	{ 0 },
};
const struct stet_member deleted_out[] = {
	{ "deleted", STET_BOOLEAN, HAS },
	{ "removes", STET_OBJECT, HAS, .of = removes_shape, .about = "What goes with it" },
	{ 0 },
};

static const struct stet_member translation_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "name", STET_STRING, HAS },
	{ "label", STET_STRING, HAS },
	{ "locale", STET_STRING, HAS },
	{ 0 },
};
const struct stet_member taxonomy_translations_out[] = {
	{ "translationGroup", STET_STRING, HAS },
	{ "translations", STET_ARRAY, HAS, .of = translation_shape, .about = "By locale" },
	{ 0 },
};

/* ---- rows ---- */

#define COLUMNS                                                               \
	"id, name, label, label_singular, hierarchical, collections, locale," \
	" translation_group"

static void
load(struct stet_rows *rows, struct taxonomy *t)
{
	t->id = stet_col_dup(rows, 0);
	t->name = stet_col_dup(rows, 1);
	t->label = stet_col_dup(rows, 2);
	t->singular = stet_col_dup(rows, 3);
	t->hierarchical = stet_col_int(rows, 4) != 0;
	t->collections = stet_json_own(rows->call, json_loads(stet_col_str(rows, 5), 0, NULL));
	t->locale = stet_col_dup(rows, 6);
	t->group = stet_col_dup(rows, 7);
}

static enum stet_status
not_found(struct stet_call *call, const char *name, const char *locale)
{
	if (locale != NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL,
		    "Taxonomy '%s' not found in locale '%s'", name, locale);
	return stet_fail(call, STET_NOT_FOUND, NULL, "Taxonomy '%s' not found", name);
}

/* Finds the definition whose locale comes first in the list of wanted locales. */
static enum stet_status
find(struct stet_call *call, const char *name, const char *const *wanted, struct taxonomy *out,
    bool *found)
{
	size_t best = SIZE_MAX;
	struct stet_rows rows;

	*found = false;
	STET_TRY(stet_query(call, &rows,
	    "SELECT " COLUMNS " FROM taxonomy WHERE name = ?1 ORDER BY locale", STET_ARGS(name)));
	while (stet_row(&rows)) {
		const char *locale = stet_col_str(&rows, 6);
		size_t rank = 0;

		while (wanted[rank] != NULL && strcmp(wanted[rank], locale) != 0)
			rank++;
		if (*found && rank >= best)
			continue;
		best = rank;
		*found = true;
		load(&rows, out);
	}
	return stet_rows_end(&rows);
}

enum stet_status
taxonomy_find(struct stet_call *call, const char *name, const char *locale, struct taxonomy *out)
{
	const char *standard = stet_locales(call)[0];
	const char *const wanted[] = { locale != NULL ? locale : standard, standard, NULL };
	bool found;

	STET_TRY(find(call, name, wanted, out, &found));
	return found ? STET_OK : not_found(call, name, NULL);
}

enum stet_status
is_collection(struct stet_call *call, const char *slug, bool *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *c = NULL;
	size_t count = 0;

	if (schema == NULL)
		return stet_fault(call, "the schema module offers no service");
	STET_TRY(schema->collections(call, &c, &count));
	*out = false;
	for (size_t i = 0; i < count && !*out; i++)
		*out = strcmp(c[i]->slug, slug) == 0;
	return STET_OK;
}

enum stet_status
is_shown(struct stet_call *call, const char *slug, bool *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;

	stet_surrogate(call, "l", slug);
	STET_TRY(is_collection(call, slug, out));
	if (!*out || stet_may(call, "taxonomies:read"))
		return STET_OK;
	STET_TRY(schema->collection(call, slug, &c));
	*out = stet_may_read(call, c);
	return STET_OK;
}

/* Writes a taxonomy. Leaves out collections that the caller may not read, and those that do not
 * exist; they stay stored, so that they are shown again if the collection is created again. */
static enum stet_status
put(struct stet_call *call, struct stet_json *out, const char *key, const struct taxonomy *t)
{
	const json_t *slug;
	bool known;
	size_t i;

	stet_object(out, key);
	stet_put_str(out, "id", t->id);
	stet_put_str(out, "name", t->name);
	stet_put_str(out, "label", t->label);
	stet_put_str(out, "labelSingular", t->singular);
	stet_put_bool(out, "hierarchical", t->hierarchical);
	stet_array(out, "collections");
	json_array_foreach(t->collections, i, slug)
	{
		STET_TRY(is_shown(call, json_string_value(slug), &known));
		if (known)
			stet_put_str(out, NULL, json_string_value(slug));
	}
	stet_close(out);
	stet_put_str(out, "locale", t->locale);
	stet_put_str(out, "translationGroup", t->group);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
reply(struct stet_call *call, const struct taxonomy *t)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	STET_TRY(put(call, out, "taxonomy", t));
	stet_close(out);
	return STET_OK;
}

/* ---- read ---- */

enum stet_status
taxonomy_list(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	struct taxonomy t;

	STET_TRY(stet_issues(call));
	STET_TRY(
	    stet_query(call, &rows, "SELECT " COLUMNS " FROM taxonomy ORDER BY id", STET_NO_ARGS));
	stet_object(out, NULL);
	stet_array(out, "taxonomies");
	while (stet_row(&rows)) {
		if (locale != NULL && strcmp(stet_col_str(&rows, 6), locale) != 0)
			continue;
		load(&rows, &t);
		STET_TRY(put(call, out, NULL, &t));
	}
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
taxonomy_get(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	struct taxonomy t;

	STET_TRY(stet_issues(call));
	STET_TRY(taxonomy_find(call, stet_arg(call, "name"), locale, &t));
	return reply(call, &t);
}

enum stet_status
taxonomy_translations(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *name = stet_arg(call, "name");
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, name, label, locale, translation_group FROM taxonomy WHERE name = ?1"
	    " ORDER BY locale",
	    STET_ARGS(name)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return not_found(call, name, NULL);
	}
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", stet_col_str(&rows, 4));
	stet_array(out, "translations");
	do
		stet_put_row(out, &rows, translation_shape);
	while (stet_row(&rows));
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- write ---- */

static bool
has_text(const json_t *array, const char *text)
{
	const json_t *v;
	size_t i;

	json_array_foreach(array, i, v)
	{
		if (strcmp(json_string_value(v), text) == 0)
			return true;
	}
	return false;
}

/* Reads the argument `collections`, and adds stored collections that do not exist: clients cannot
 * see these, so a client that omits them does not mean to remove them. */
static enum stet_status
take_collections(struct stet_call *call, json_t **collections)
{
	json_t *out = stet_json_own(call, json_array()), *stored = *collections, *v;
	const json_t *given = stet_arg_json(call, "collections");
	bool known;
	size_t i;

	if (given == NULL)
		return STET_OK;
	json_array_foreach(given, i, v)
	{
		STET_TRY(is_collection(call, json_string_value(v), &known));
		if (!known)
			stet_issue(call, stet_printf(call, "collections[%zu]", i),
			    "is not a collection: %s", json_string_value(v));
		else if (!has_text(out, json_string_value(v)))
			json_array_append(out, v);
	}
	json_array_foreach(stored, i, v)
	{
		STET_TRY(is_collection(call, json_string_value(v), &known));
		if (!known)
			json_array_append(out, v);
	}
	*collections = out;
	return STET_OK;
}

static enum stet_status
take(struct stet_call *call, struct taxonomy *t)
{
	if (stet_has(call, "label"))
		t->label = stet_arg(call, "label");
	if (stet_has(call, "labelSingular"))
		t->singular = stet_arg(call, "labelSingular");
	if (stet_has(call, "hierarchical"))
		t->hierarchical = stet_arg_bool(call, "hierarchical");
	STET_TRY(take_collections(call, &t->collections));
	return stet_issues(call);
}

static const char *
collections_text(struct stet_call *call, const struct taxonomy *t)
{
	struct stet_json *text = stet_json_new(call);

	stet_put_json(text, NULL, t->collections);
	return stet_json_text(text, NULL);
}

/* Finds the definition whose values a new one copies: the one that it translates, or one of the
 * same name in another locale. */
static enum stet_status
source(struct stet_call *call, const char *name, struct taxonomy *out, bool *found)
{
	const char *of = stet_arg(call, "translationOf");
	const char *const none[] = { NULL };
	struct stet_rows rows;

	if (of == NULL)
		return find(call, name, none, out, found);
	STET_TRY(stet_query(
	    call, &rows, "SELECT " COLUMNS " FROM taxonomy WHERE id = ?1", STET_ARGS(of)));
	*found = stet_row(&rows);
	if (*found)
		load(&rows, out);
	STET_TRY(stet_rows_end(&rows));
	if (!*found)
		return stet_fail(call, STET_NOT_FOUND, "translationOf",
		    "Source taxonomy for translation not found");
	if (strcmp(out->name, name) != 0)
		stet_issue(
		    call, "translationOf", "is a definition of '%s', not of '%s'", out->name, name);
	return STET_OK;
}

static enum stet_status
check_room(struct stet_call *call)
{
	struct stet_rows rows;
	bool full;

	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT COUNT(*) FROM taxonomy", STET_NO_ARGS));
	full = stet_col_int(&rows, 0) >= DEFINITIONS_MAX;
	STET_TRY(stet_rows_end(&rows));
	if (full)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "A site has at most %d definitions of taxonomies", DEFINITIONS_MAX);
	return STET_OK;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct taxonomy *t)
{
	return stet_exec(call, tx,
	    "INSERT INTO taxonomy (id, name, label, label_singular, hierarchical, collections,"
	    " locale, translation_group) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	    STET_ARGS(t->id, t->name, t->label, t->singular, t->hierarchical,
		collections_text(call, t), t->locale, t->group));
}

enum stet_status
taxonomy_create(struct stet_call *call)
{
	const char *name = stet_arg(call, "name");
	struct taxonomy t = { 0 };
	enum stet_status status;
	bool found;

	STET_TRY(forget_check(call, name));
	STET_TRY(source(call, name, &t, &found));
	t.id = stet_id(call);
	t.name = name;
	t.locale = stet_locale_stored(call, stet_arg(call, "locale"));
	t.singular = NULL;
	if (!found) {
		t.group = t.id;
		t.collections = stet_json_own(call, json_array());
	}
	STET_TRY(take(call, &t));
	STET_TRY(check_room(call));
	status = insert(call, stet_write_tx(call), &t);
	if (status == STET_CONFLICT)
		return stet_fail(call, STET_CONFLICT, "name",
		    "Taxonomy '%s' already exists in locale '%s'", t.name, t.locale);
	STET_TRY(status);
	STET_TRY(stet_note(call, stet_write_tx(call), "taxonomy", t.name, "create"));
	return reply(call, &t);
}

enum stet_status
taxonomy_update(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	const char *name = stet_arg(call, "name");
	const char *const wanted[] = { locale, NULL };
	struct taxonomy t;
	bool found;

	STET_TRY(stet_issues(call));
	STET_TRY(find(call, name, wanted, &t, &found));
	if (!found || (locale != NULL && strcmp(t.locale, locale) != 0))
		return not_found(call, name, found ? locale : NULL);
	STET_TRY(take(call, &t));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE taxonomy SET label = ?2, label_singular = ?3, hierarchical = ?4,"
	    " collections = ?5 WHERE id = ?1",
	    STET_ARGS(t.id, t.label, t.singular, t.hierarchical, collections_text(call, &t))));
	STET_TRY(stet_note(call, stet_write_tx(call), "taxonomy", t.name, "update"));
	return reply(call, &t);
}

enum stet_status
removes_count(struct stet_call *call, const char *sql, const char *of, int64_t *out)
{
	struct stet_rows rows;

	*out = 0;
	STET_TRY(stet_query(call, &rows, sql, STET_ARGS(of)));
	if (stet_row(&rows))
		*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

void
deleted_put(struct stet_call *call, int64_t terms, int64_t items)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_object(out, "removes");
	stet_put_int(out, "terms", terms);
	stet_put_int(out, "items", items);
	stet_close(out);
	stet_close(out);
}

enum stet_status
taxonomy_delete(struct stet_call *call)
{
	const char *name = stet_arg(call, "name");
	struct stet_tx *tx = stet_write_tx(call);
	int64_t terms, items;

	STET_TRY(
	    removes_count(call, "SELECT COUNT(*) FROM term WHERE taxonomy = ?1", name, &terms));
	STET_TRY(removes_count(call,
	    "SELECT COUNT(*) FROM content_term WHERE term_group IN"
	    " (SELECT translation_group FROM term WHERE taxonomy = ?1)",
	    name, &items));
	STET_TRY(stet_exec(call, tx, "DELETE FROM taxonomy WHERE name = ?1", STET_ARGS(name)));
	if (stet_changes(call) == 0)
		return not_found(call, name, NULL);
	STET_TRY(forget_taxonomy(call, tx, name));
	STET_TRY(stet_note(call, tx, "taxonomy", name, "delete"));
	deleted_put(call, terms, items);
	return STET_OK;
}

enum stet_status
taxonomy_seed(struct stet_call *call, struct stet_tx *tx)
{
	struct taxonomy first[] = {
		{ "taxdef_category", "category", "Categories", "Category", .hierarchical = true },
		{ "taxdef_tag", "tag", "Tags", "Tag" },
	};

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		first[i].locale = stet_locales(call)[0];
		first[i].group = first[i].id;
		first[i].collections = stet_json_own(call, json_pack("[s]", "posts"));
		STET_TRY(insert(call, tx, &first[i]));
	}
	return STET_OK;
}
