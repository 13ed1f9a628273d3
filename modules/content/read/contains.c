/*
 * contains.c - filters by the words of a field, through the index of the search module
 * (core/adr/0074). A walk along an order asks the module about each item; if that takes too long,
 * the module lists the items instead.
 */
#include "read/read.h"
#include <stet/search.h>

enum stet_status
contains_read(struct stet_call *call, struct filter *f)
{
	const struct stet_search_1 *service = stet_service(call, STET_SEARCH_1);

	if (f->words == NULL)
		return STET_OK;
	STET_TRY(stet_issues(call));
	if (service == NULL) {
		stet_issue(call, f->words->path,
		    "\"contains\" needs the module search, which is not enabled");
		return stet_issues(call);
	}
	STET_TRY(stet_costly(call));
	for (struct words_cond *w = f->words; w != NULL; w = w->next) {
		w->service = service;
		w->status = f->status != NULL ? f->status->value[0].u.s : NULL;
		w->locale = f->locale != NULL ? f->locale->value[0].u.s : NULL;
		STET_TRY(
		    service->words(call, w->path, w->collection, w->field, w->text, &w->words));
	}
	return STET_OK;
}

void
contains_put(struct stet_sql *sql, const struct words_cond *w, bool omits)
{
	w->service->words_put(sql, w->words, omits);
}

void
contains_ids(struct stet_sql *sql, const struct words_cond *w)
{
	w->service->words_ids(sql, w->words, w->status, w->locale);
}

enum stet_status
contains_refuse(struct stet_call *call)
{
	return stet_fail(call, STET_REQUEST_TIMEOUT, "fieldFilters",
	    "Too many items would have to be looked through for words (\"contains\"): add a filter "
	    "that fewer items pass, order by one key, or leave out totals and facets");
}

enum stet_status
contains_told(struct stet_call *call, const struct filter *f, enum stet_status status)
{
	if (status != STET_REQUEST_TIMEOUT || f->words == NULL)
		return status;
	stet_error_clear(call);
	return contains_refuse(call);
}
