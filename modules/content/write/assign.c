/* assign.c - the terms of one item: reads them, and assigns others. */
#include "write/write.h"

#define ITEM                                                                                       \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },           \
	    { "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },               \
	    { "taxonomy", STET_STRING, STET_REQUIRED, .about = "Name of the taxonomy" },           \
	{                                                                                          \
		"locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" \
	}

const struct stet_member terms_get_in[] = { ITEM, { 0 } };
const struct stet_member terms_set_in[] = {
	ITEM,
	{ "termIds", STET_ARRAY, STET_REQUIRED, .item = STET_STRING, STET_RANGE(0, STET_TERMS_MAX),
	    .about = "Ids of terms, in place of those that the item has" },
	{ 0 },
};
static const struct stet_member term_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED, .about = "Name of the taxonomy" },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "parentId", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "description", STET_STRING },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member terms_out[] = {
	{ "terms", STET_ARRAY, STET_REQUIRED, .of = term_shape,
	    .about = "In the item's locale, or else in the default one" },
	{ "liveTerms", STET_ARRAY, .of = term_shape,
	    .about = "When a draft changes the terms, those that are live" },
	{ "unresolved", STET_ARRAY, STET_REQUIRED, .about = "Terms that are in neither" },
	{ "entryLocale", STET_STRING, STET_REQUIRED },
	{ "defaultLocale", STET_STRING, STET_REQUIRED },
	{ "implicitDefaultLocale", STET_BOOLEAN, STET_REQUIRED,
	    .about = "The site has no other locale" },
	{ 0 },
};

struct tagged {
	const struct stet_taxonomies_1 *service;
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *group, *locale, *author;
	const char *draft; /* the id of the draft's revision, or NULL */
	/* The bylines and terms that the draft stages, for callers who may read it. */
	json_t *staged;
};

/* Finds the item that the arguments name. */
static enum stet_status
find(struct stet_call *call, struct tagged *it)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	it->service = stet_service(call, STET_TAXONOMIES_1);
	if (it->service == NULL)
		return stet_fail(
		    call, STET_NOT_FOUND, NULL, "The module taxonomies is not enabled");
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &it->collection, &it->plan));
	STET_TRY(item_find_seen(call, it->plan, stet_arg(call, "id"), locale, &rows));
	it->group = stet_col_dup(&rows, C_GROUP);
	it->locale = stet_col_dup(&rows, C_LOCALE);
	it->author = stet_col_dup(&rows, C_AUTHOR);
	it->draft = it->collection->revisions ? stet_col_dup(&rows, C_DRAFT) : NULL;
	STET_TRY(staged_read(call, it->collection, &rows, &it->staged));
	return stet_rows_end(&rows);
}

static enum stet_status
answer(struct stet_call *call, const struct tagged *it)
{
	const char *taxonomy = stet_arg(call, "taxonomy");

	return it->service->put_kept(call, stet_reply(call), it->plan->slug, it->group, taxonomy,
	    it->locale, staged_terms(it->staged, taxonomy));
}

enum stet_status
content_terms(struct stet_call *call)
{
	struct tagged it;

	STET_TRY(find(call, &it));
	plan_surrogates(call, it.plan);
	stet_surrogate(call, "k", "taxonomies");
	return answer(call, &it);
}

enum stet_status
content_set_terms(struct stet_call *call)
{
	struct stet_terms *terms;
	struct tagged it;

	STET_TRY(find(call, &it));
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", it.author));
	STET_TRY(it.service->pick(
	    call, stet_arg(call, "taxonomy"), stet_arg_json(call, "termIds"), &terms));
	STET_TRY(it.service->store(call, stet_write_tx(call), it.plan->slug, it.group, terms));
	if (it.draft != NULL)
		STET_TRY(staged_drop_terms(
		    call, stet_write_tx(call), it.draft, stet_arg(call, "taxonomy")));
	it.staged = NULL;
	return answer(call, &it);
}
