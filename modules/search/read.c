/* read.c - the operations that search: the tool, the route, suggestions. */
#include "search.h"
#include <string.h>

#define FILTERS                                                                 \
	{ "locale", STET_STRING, .about = "Only items of this locale" },        \
	{                                                                       \
		"cursor", STET_STRING, .about = "nextCursor of the page before" \
	}
#define ABOUT_QUERY                                                                             \
	"Words, each as the beginning of a word, or a question: up to three words all must be " \
	"there, if any item has them all; \"quoted words\" as a phrase; a leading - excludes"

#define CORRECTED                                                             \
	{                                                                     \
		"corrected", STET_STRING,                                     \
		    .about = "What was searched: words that no item has are " \
			     "replaced by similar ones"                       \
	}

const struct stet_member search_tool_in[] = {
	{ "query", STET_STRING, STET_REQUIRED, ABOUT_QUERY, .max = QUERY_MAX },
	{ "collections", STET_ARRAY, .about = "Slugs; all when omitted", .item = STET_STRING,
	    .max = 100 },
	{ "limit", STET_INTEGER, STET_BOUNDED, .fallback = "20", STET_RANGE(1, 50) },
	FILTERS,
	{ 0 },
};
const struct stet_member search_query_in[] = {
	{ "q", STET_STRING, STET_REQUIRED | STET_BOUNDED, ABOUT_QUERY, STET_RANGE(1, QUERY_MAX) },
	{ "collections", STET_STRING, .about = "Slugs, separated by commas; all when omitted" },
	{ "status", STET_STRING, .about = "Others than published need the right to read drafts",
	    STET_CHOICES("draft", "published", "scheduled"), .fallback = "\"published\"" },
	{ "limit", STET_INTEGER, STET_BOUNDED, .fallback = "20", STET_RANGE(1, 100) },
	FILTERS,
	{ 0 },
};
const struct stet_member search_suggest_in[] = {
	{ "q", STET_STRING, STET_REQUIRED | STET_BOUNDED, "Beginnings of words of a title",
	    STET_RANGE(1, QUERY_MAX) },
	{ "collections", STET_STRING, .about = "Slugs, separated by commas; all when omitted" },
	{ "locale", STET_STRING, .about = "Only items of this locale" },
	{ "limit", STET_INTEGER, STET_BOUNDED, .fallback = "5", STET_RANGE(1, 20) },
	{ 0 },
};

static const struct stet_member result[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING },
	{ "snippet", STET_STRING,
	    .about = "HTML: the words that match in <mark>, all else escaped" },
	{ "score", STET_NUMBER, STET_REQUIRED, .about = "Higher is better" },
	{ 0 },
};
static const struct stet_member suggestion[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "title", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member search_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = result },
	{ "nextCursor", STET_STRING },
	{ "partial", STET_BOOLEAN, .about = "true: some items do not have all words" },
	CORRECTED,
	{ 0 },
};
const struct stet_member search_similar_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = result },
	{ 0 },
};
const struct stet_member search_suggest_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = suggestion },
	CORRECTED,
	{ 0 },
};

/* ---- arguments ---- */

enum stet_status
search_locale(struct stet_call *call, const char **out)
{
	*out = stet_locale(call, stet_arg(call, "locale"));
	return stet_issues(call);
}

static enum stet_status
check_status(struct stet_call *call, const char *status)
{
	const struct stet_principal *p;

	if (strcmp(status, "published") == 0)
		return STET_OK;
	if ((p = stet_principal(call)) == NULL)
		return stet_fail(call, STET_UNAUTHORIZED, NULL, "Authentication required");
	if (!stet_scope_allows(p->scopes, "content:read"))
		return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
		    "Token lacks required scope: content:read");
	return stet_require(call, "content:read_drafts");
}

/* ---- replies ---- */

enum stet_status
search_reply(struct stet_call *call, struct finding *want)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(find_run(call, want));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < want->count; i++) {
		const struct found *f = &want->item[i];

		stet_object(out, NULL);
		stet_put_str(out, "collection", f->collection);
		stet_put_str(out, "id", f->id);
		stet_put_str(out, "slug", f->slug);
		stet_put_str(out, "locale", f->locale);
		if (f->title != NULL)
			stet_put_str(out, "title", f->title);
		if (f->snippet != NULL)
			stet_put_str(out, "snippet", f->snippet);
		stet_put_real(out, "score", f->score);
		stet_close(out);
	}
	stet_close(out);
	if (want->next != NULL)
		stet_put_str(out, "nextCursor", want->next);
	if (want->partial && want->like == NULL)
		stet_put_bool(out, "partial", true);
	if (want->corrected != NULL)
		stet_put_str(out, "corrected", want->corrected);
	stet_close(out);
	return STET_OK;
}

/* Fails with a message for AI agents: why nothing would be found, and which tool enables search. */
static enum stet_status
refuse_off(struct stet_call *call, const struct stet_collection *c)
{
	if (c == NULL)
		return stet_fail(call, stet_code(call, "SEARCH_NOT_ENABLED"), NULL,
		    "Search is on for no collection. search_enable turns it on for one that lists "
		    "search in supports; schema_update_collection changes supports");
	return stet_fail(call, stet_code(call, "SEARCH_NOT_ENABLED"), "collections",
	    "Search is off for \"%s\". %ssearch_enable turns it on", c->slug,
	    c->search ? "" : "Add search to its supports with schema_update_collection, then ");
}

/* ---- the service search/1 ---- */

static enum stet_status
best(struct stet_call *call, const char *path, const char *collection, const char *query,
    const char *status, const char *locale, size_t most, const char *const **ids, size_t *count,
    bool *more)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct finding want = { .q = query,
		.status = status,
		.collections = stet_json_own(call, json_pack("[s]", collection)),
		.locale = locale,
		.limit = most,
		.bare = true };
	const struct stet_collection *c;
	const char **out;
	bool on;

	STET_TRY(beside_ready(call));
	STET_TRY(schema->collection(call, collection, &c));
	STET_TRY(index_exists(call, c, &on));
	if (!on)
		return stet_fail(call, STET_VALIDATION_ERROR, path,
		    "Search is off for \"%s\": search_enable turns it on", collection);
	STET_TRY(find_run(call, &want));
	out = stet_alloc(call, (want.count + 1) * sizeof(*out));
	for (size_t i = 0; i < want.count; i++)
		out[i] = want.item[i].id;
	*ids = out;
	*count = want.count;
	*more = want.next != NULL;
	return STET_OK;
}

const struct stet_search_1 search_service = { best, contains_words, contains_put, contains_ids };

/* ---- ops ---- */

enum stet_status
search_is_on(struct stet_call *call, const json_t *collections)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	const json_t *v;
	size_t i;
	bool on;

	json_array_foreach((json_t *)(uintptr_t)collections, i, v)
	{
		if (schema->collection(call, json_string_value(v), &c) != STET_OK) {
			stet_error_clear(call);
			return stet_fail(call, STET_NOT_FOUND, "collections",
			    "Collection \"%s\" not found", json_string_value(v));
		}
		STET_TRY(index_exists(call, c, &on));
		if (!on)
			return refuse_off(call, c);
	}
	if (json_array_size(collections) > 0)
		return STET_OK;
	STET_TRY(index_exists(call, NULL, &on));
	return on ? STET_OK : refuse_off(call, NULL);
}

enum stet_status
search_tool(struct stet_call *call)
{
	struct finding want = { .q = stet_arg(call, "query"),
		.status = "published",
		.collections = stet_arg_json(call, "collections"),
		.cursor = stet_arg(call, "cursor"),
		.limit = (size_t)stet_arg_int(call, "limit"),
		.supported = true };

	STET_TRY(beside_ready(call));
	STET_TRY(search_locale(call, &want.locale));
	STET_TRY(search_is_on(call, want.collections));
	return search_reply(call, &want);
}

enum stet_status
search_query(struct stet_call *call)
{
	struct finding want = { .q = stet_arg(call, "q"),
		.status = stet_arg(call, "status"),
		.collections = scope_list(call, stet_arg(call, "collections")),
		.cursor = stet_arg(call, "cursor"),
		.limit = (size_t)stet_arg_int(call, "limit") };

	STET_TRY(beside_ready(call));
	STET_TRY(check_status(call, want.status));
	STET_TRY(search_locale(call, &want.locale));
	return search_reply(call, &want);
}

enum stet_status
search_suggest(struct stet_call *call)
{
	struct finding want = { .q = stet_arg(call, "q"),
		.status = "published",
		.collections = scope_list(call, stet_arg(call, "collections")),
		.limit = (size_t)stet_arg_int(call, "limit"),
		.titles = true };
	struct stet_json *out = stet_reply(call);

	STET_TRY(beside_ready(call));
	STET_TRY(search_locale(call, &want.locale));
	STET_TRY(find_run(call, &want));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < want.count; i++) {
		if (want.item[i].title == NULL)
			continue;
		stet_object(out, NULL);
		stet_put_str(out, "collection", want.item[i].collection);
		stet_put_str(out, "id", want.item[i].id);
		stet_put_str(out, "slug", want.item[i].slug);
		stet_put_str(out, "title", want.item[i].title);
		stet_close(out);
	}
	stet_close(out);
	if (want.corrected != NULL)
		stet_put_str(out, "corrected", want.corrected);
	stet_close(out);
	return STET_OK;
}
