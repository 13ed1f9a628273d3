/* terms.c - filters of a list by terms, through the service of the taxonomies module. */
#include "read/read.h"
#include <string.h>

enum stet_status
terms_filter(struct stet_call *call, const struct stet_collection *collection, struct filter *f)
{
	const struct stet_taxonomies_1 *service = stet_service(call, STET_TAXONOMIES_1);
	const char *text = stet_arg(call, "terms");
	struct stet_term_filter *filter;
	size_t sets;

	if (text == NULL)
		return STET_OK;
	if (service == NULL) {
		stet_issue(call, "terms", "needs the module taxonomies, which is not enabled");
		return STET_OK;
	}
	STET_TRY(service->filter(call, "terms", text, collection->slug,
	    stet_locale(call, stet_arg(call, "locale")), &filter, &sets));
	for (size_t i = 0; i < sets; i++) {
		struct term_cond *t = stet_alloc(call, sizeof(*t));

		*t = (struct term_cond){ service, filter, i };
		filter_new(call, f, "", "id", COND_TERMS, 0)->terms = t;
	}
	return STET_OK;
}

enum stet_status
terms_total(const struct walk *w, bool *known, int64_t *total)
{
	const struct filter *f = &w->filter;
	const struct term_cond *t = NULL;

	*known = false;
	if (f->sure != NULL || f->q != NULL || f->bylines != NULL || f->status == NULL ||
	    strcmp(f->status->value[0].u.s, "published") != 0)
		return STET_OK;
	for (const struct cond *c = f->conds; c != NULL; c = c->next) {
		if (c->op == COND_TERMS)
			t = c->terms;
		else if (c != f->status && c != f->locale)
			return STET_OK;
	}
	if (t == NULL)
		return STET_OK;
	return t->service->filter_total(w->call, t->filter, w->plan->slug,
	    f->locale != NULL ? f->locale->value[0].u.s : NULL, known, total);
}
