/*
 * manage.c - administration of search in a collection: enabling and disabling, rebuilding,
 * statistics, checking.
 */
#include "search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHT_MAX 1000
#define PROBLEMS_MAX 20
#define CHECK_BATCH 500

#define TOKENIZERS STET_CHOICES("porter unicode61", "unicode61", "trigram")

const struct stet_member search_enable_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, "Slug of the collection", STET_RANGE(1, 100) },
	{ "enabled", STET_BOOLEAN, STET_REQUIRED },
	{ "tokenize", STET_STRING,
	    .about =
		"porter unicode61: English stemming; unicode61: none; trigram: languages without "
		"spaces, matches inside words. Omitted: as before, or the first",
	    TOKENIZERS },
	{ "weights", STET_OBJECT,
	    .about =
		"What a match in a field counts: {field: number}. Omitted: as before, or 10 for "
		"the title, else 1" },
	{ 0 },
};
const struct stet_member search_enable_out[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "enabled", STET_BOOLEAN, STET_REQUIRED },
	{ "indexed", STET_INTEGER, .about = "Items in the index" },
	{ "rebuilding", STET_BOOLEAN, .about = "The index is still being built: see stats" },
	{ 0 },
};
const struct stet_member search_rebuild_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, "Slug of the collection", STET_RANGE(1, 100) },
	{ 0 },
};
const struct stet_member search_rebuild_out[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "indexed", STET_INTEGER, STET_REQUIRED },
	{ "rebuilding", STET_BOOLEAN, .about = "The index is still being built: see stats" },
	{ 0 },
};
const struct stet_member search_stats_out[] = {
	{ "collections", STET_OBJECT, STET_REQUIRED,
	    .about = "{slug: {indexed, tokenize, weights?, rebuilding?: {done, total?}}}" },
	{ "updating", STET_BOOLEAN,
	    .about = "The module was off: what changed meanwhile is still being indexed" },
	{ 0 },
};
const struct stet_member search_public_in[] = {
	{ "publicSearch", STET_STRING,
	    .about = "What callers without credentials find: items of collections with publicRead, "
		     "or of all that are indexed",
	    PUBLIC_SEARCH },
	{ 0 },
};
const struct stet_member search_public_out[] = {
	{ "publicSearch", STET_STRING, STET_REQUIRED, PUBLIC_SEARCH },
	{ 0 },
};
const struct stet_member search_verify_out[] = {
	{ "problems", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ 0 },
};

/* ---- configuration ---- */

struct config_request {
	const char *collection, *tokenizer; /* tokenizer NULL: unchanged */
	const json_t *weights; /* NULL: unchanged */
	bool enabled, rebuild;
};

struct config {
	bool there, enabled;
	const char *tokenizer;
};

static enum stet_status
read_config(struct stet_call *call, const char *collection, struct config *out)
{
	struct stet_rows rows;

	*out = (struct config){ .tokenizer = "porter unicode61" };
	STET_TRY(stet_query(call, &rows,
	    "SELECT enabled, tokenizer FROM search_config WHERE collection = ?1",
	    STET_ARGS(collection)));
	if (stet_row(&rows)) {
		out->there = true;
		out->enabled = stet_col_int(&rows, 0) != 0;
		out->tokenizer = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
write_config(struct stet_call *call, struct stet_tx *tx, const struct config_request *request,
    const struct stet_collection *c, const char *tokenizer)
{
	char *weights =
	    request->weights != NULL ? json_dumps(request->weights, JSON_COMPACT) : NULL;
	enum stet_status status = stet_exec(call, tx,
	    "INSERT INTO search_config (collection, enabled, tokenizer, weights, supported) VALUES "
	    "(?1, ?2, ?3, ?4, ?5) ON CONFLICT (collection) DO UPDATE SET enabled = "
	    "excluded.enabled, tokenizer = excluded.tokenizer, weights = COALESCE("
	    "excluded.weights, search_config.weights), supported = excluded.supported",
	    STET_ARGS(request->collection, request->enabled, tokenizer, weights, c->search));

	free(weights);
	return status;
}

static enum stet_status
check_weights(struct stet_call *call, const struct stet_collection *c, const json_t *weights)
{
	const char *key;
	const json_t *v;

	json_object_foreach((json_t *)(uintptr_t)weights, key, v)
	{
		const struct stet_field *f = stet_field(c, key);
		const char *path = stet_printf(call, "weights.%s", key);
		double n = json_number_value(v);

		if (f == NULL || !f->searchable)
			stet_issue(call, path, "is not a searchable field of \"%s\"", c->slug);
		else if (!json_is_number(v) || !isfinite(n) || n < 0 || n > WEIGHT_MAX)
			stet_issue(call, path, "must be a number from 0 to %d", WEIGHT_MAX);
	}
	return stet_issues(call);
}

/* Returns in *out whether the newest index has this tokenizer. */
static enum stet_status
is_current(struct stet_call *call, const char *collection, const char *tokenizer, bool *out)
{
	struct index *list;
	size_t count;

	STET_TRY(index_list(call, collection, NULL, &list, &count));
	*out = count > 0 && strcmp(list[count - 1].tokenizer, tokenizer) == 0;
	return STET_OK;
}

static enum stet_status
write_request(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct config_request *request = arg;
	const struct stet_collection *c;
	const char *tokenizer;
	struct config config;
	bool current;

	STET_TRY(schema->collection(call, request->collection, &c));
	STET_TRY(read_config(call, c->slug, &config));
	if (request->rebuild && !config.enabled)
		return stet_fail(call, stet_code(call, "SEARCH_NOT_ENABLED"), "collection",
		    "Search is not enabled for \"%s\"", c->slug);
	if (request->enabled && !is_searchable(c, NULL))
		return stet_fail(call, stet_code(call, "NO_SEARCHABLE_FIELDS"), "collection",
		    "\"%s\" has no searchable field", c->slug);
	if (request->weights != NULL)
		STET_TRY(check_weights(call, c, request->weights));
	tokenizer = request->tokenizer != NULL ? request->tokenizer : config.tokenizer;
	STET_TRY(write_config(call, tx, request, c, tokenizer));
	if (stet_derived_apart(call))
		return changes_note(
		    call, tx, request->rebuild ? CHANGE_REBUILD : CHANGE_SETTINGS, c->slug, "");
	if (!request->enabled)
		return index_discard(call, tx, c->slug, NULL);
	STET_TRY(is_current(call, c->slug, tokenizer, &current));
	if (current && !request->rebuild)
		return STET_OK;
	return index_begin(call, tx, c, tokenizer, NULL);
}

/* Writes the state of the index in use, and whether a new one is being built. */
static enum stet_status
put_indexed(struct stet_call *call, struct stet_json *out, const char *collection)
{
	struct index *list;
	size_t count;
	int64_t indexed = 0;
	bool building = false;

	STET_TRY(index_list(call, collection, NULL, &list, &count));
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].state, "serving") == 0)
			STET_TRY(index_count(call, list[i].id, &indexed));
		else
			building = true;
	}
	stet_put_int(out, "indexed", indexed);
	if (building)
		stet_put_bool(out, "rebuilding", true);
	return STET_OK;
}

enum stet_status
search_enable(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct config_request request = { .collection = stet_arg(call, "collection"),
		.tokenizer = stet_arg(call, "tokenize"),
		.weights = stet_arg_json(call, "weights"),
		.enabled = stet_arg_bool(call, "enabled") };

	STET_TRY(stet_write_lane(call, write_request, &request));
	STET_TRY(build_now(call, request.collection));
	stet_object(out, NULL);
	stet_put_str(out, "collection", request.collection);
	stet_put_bool(out, "enabled", request.enabled);
	if (request.enabled)
		STET_TRY(put_indexed(call, out, request.collection));
	stet_close(out);
	return STET_OK;
}

enum stet_status
search_rebuild(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct config_request request = {
		.collection = stet_arg(call, "collection"), .enabled = true, .rebuild = true
	};

	STET_TRY(stet_write_lane(call, write_request, &request));
	STET_TRY(build_now(call, request.collection));
	stet_object(out, NULL);
	stet_put_str(out, "collection", request.collection);
	STET_TRY(put_indexed(call, out, request.collection));
	stet_close(out);
	return STET_OK;
}

/* ---- counting ---- */

static enum stet_status
put_stats(struct stet_call *call, struct stet_json *out, const struct index *list, size_t count)
{
	const struct index *building = NULL, *serving = NULL;
	int64_t indexed = 0;

	for (size_t i = 0; i < count; i++)
		*(strcmp(list[i].state, "serving") == 0 ? &serving : &building) = &list[i];
	if (serving != NULL)
		STET_TRY(index_count(call, serving->id, &indexed));
	stet_object(out, list[0].collection);
	stet_put_int(out, "indexed", indexed);
	stet_put_str(out, "tokenize", list[count - 1].tokenizer);
	if (list[0].weights != NULL)
		stet_put_json(out, "weights", list[0].weights);
	if (building != NULL) {
		stet_object(out, "rebuilding");
		stet_put_int(out, "done", building->done);
		if (building->total >= 0)
			stet_put_int(out, "total", building->total);
		stet_close(out);
	}
	stet_close(out);
	return STET_OK;
}

static int
by_collection(const void *a, const void *b)
{
	const struct index *x = a, *y = b;
	int order = strcmp(x->collection, y->collection);

	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

enum stet_status
search_stats(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct index *list;
	size_t count, n;
	bool updating;

	STET_TRY(beside_ready(call));
	STET_TRY(missed_any(call, &updating));
	STET_TRY(index_list(call, NULL, NULL, &list, &count));
	if (count > 1)
		qsort(list, count, sizeof(*list), by_collection);
	stet_object(out, NULL);
	stet_object(out, "collections");
	for (size_t i = 0; i < count; i += n) {
		for (n = 1; i + n < count; n++)
			if (strcmp(list[i].collection, list[i + n].collection) != 0)
				break;
		STET_TRY(put_stats(call, out, &list[i], n));
	}
	stet_close(out);
	if (updating)
		stet_put_bool(out, "updating", true);
	stet_close(out);
	return STET_OK;
}

/* ---- what the public finds ---- */

/* Sets or returns the setting publicSearch. The value in stet.conf takes precedence. */
enum stet_status
search_public(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *given = stet_arg(call, "publicSearch"), *said = stet_public_search(call);

	if (given != NULL && said != NULL && strcmp(said, given) != 0)
		return stet_fail(call, STET_CONFLICT, "publicSearch",
		    "stet.conf says public-search = %s, which counts: change it there", said);
	if (given != NULL)
		STET_TRY(stet_settings_put(call, stet_write_tx(call), "search",
		    stet_json_own(call, json_pack("{s:s}", "publicSearch", given))));
	else
		given = said != NULL ? said : stet_setting_str(call, "publicSearch");
	stet_object(out, NULL);
	stet_put_str(out, "publicSearch", given);
	stet_close(out);
	return STET_OK;
}

/* ---- checking ---- */

struct check {
	const struct index *index;
	const char *after; /* the item that was checked last */
	char last[64]; /* a copy, since it outlives a batch */
	json_t *problems;
	bool again;
};

static void
problem(struct check *k, const char *what, const char *why)
{
	if (json_array_size(k->problems) < PROBLEMS_MAX)
		json_array_append_new(
		    k->problems, json_sprintf("%s: %s %s; stet search rebuild %s mends it",
				     k->index->collection, what, why, k->index->collection));
}

static enum stet_status
check_batch(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct check *k = arg;
	const char **id = stet_alloc(call, CHECK_BATCH * sizeof(*id)), *why;
	const struct stet_collection *c;
	size_t count;

	STET_TRY(schema->collection(call, k->index->collection, &c));
	STET_TRY(doc_entries(call, k->index, k->after, id, CHECK_BATCH, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(doc_compare(call, k->index, c, id[i], &why));
		if (why != NULL)
			problem(k, id[i], why);
	}
	k->again = count == CHECK_BATCH;
	if (k->again)
		k->last[stpncpy(k->last, id[count - 1], sizeof(k->last) - 1) - k->last] = '\0';
	return STET_OK;
}

/* Of an index beside the database, which is brought up to date first. */
static enum stet_status
check_beside(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	STET_TRY(beside_apply(call, tx));
	return stet_scope(call, check_batch, arg);
}

static enum stet_status
check_shards(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct check *k = arg;
	struct stet_rows rows;
	int64_t *shard = NULL;
	size_t count = 0;
	bool good;

	STET_TRY(stet_derived_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM search_shard WHERE index_id = ?1", STET_ARGS(k->index->id)));
	shard = stet_alloc(call, ((size_t)stet_col_int(&rows, 0) + 1) * sizeof(*shard));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_derived_query(call, &rows, "SELECT id FROM search_shard WHERE index_id = ?1",
	    STET_ARGS(k->index->id)));
	while (stet_row(&rows))
		shard[count++] = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(shard_exists(call, shard[i], &good));
		if (good)
			STET_TRY(shard_check(call, tx, shard[i], &good));
		if (!good)
			problem(k, "its index", "is damaged");
	}
	return STET_OK;
}

enum stet_status
search_verify(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct check k = { .problems = stet_json_own(call, json_array()) };
	struct index *list;
	size_t count;

	STET_TRY(beside_ready(call));
	STET_TRY(index_list(call, NULL, "serving", &list, &count));
	for (size_t i = 0; i < count; i++) {
		k.index = &list[i];
		k.last[0] = '\0';
		k.after = k.last;
		STET_TRY(index_write(call, check_shards, &k));
		do
			STET_TRY(stet_derived_apart(call)
				     ? stet_derived_write(call, -1, check_beside, &k)
				     : stet_scope(call, check_batch, &k));
		while (k.again);
	}
	stet_object(out, NULL);
	stet_put_json(out, "problems", k.problems);
	stet_close(out);
	return STET_OK;
}

enum stet_status
search_check(struct stet_call *call)
{
	struct index *building, *serving;
	size_t count, left;

	STET_TRY(index_list(call, NULL, "building", &building, &left));
	STET_TRY(index_list(call, NULL, "serving", &serving, &count));
	for (size_t i = 0; i < left; i++)
		stet_finding(call, STET_NOTE,
		    "The daemon goes on with it: \"stet search stats\" says how far it is.",
		    "the index of %s is not complete yet", building[i].collection);
	if (left == 0 && count > 0)
		stet_finding(call, STET_FINE, NULL, "%zu collections are indexed", count);
	return STET_OK;
}
