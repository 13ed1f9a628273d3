/* problems.c - collects what stands against a release, so that all of it is answered at once. */
#include "releases.h"

void
problems_begin(struct stet_call *call, struct problems *p)
{
	p->list = stet_json_own(call, json_array());
}

void
problems_add(struct problems *p, const struct change *c, const char *title, const char *code,
    const char *message)
{

	(void)json_array_append_new(
	    p->list, json_pack("{ss ss ss* ss ss}", "change", c->id, "type", kind_names[c->kind],
			 "title", title, "code", code, "message", message));
}

json_t *
problems_error(struct stet_call *call)
{
	json_t *error = stet_error_json(call);

	stet_error_clear(call);
	return error;
}

enum stet_status
problems_take(struct stet_call *call, struct problems *p, const struct change *c, const char *title,
    enum stet_status status)
{
	json_t *error, *issues;

	if (status == STET_OK || status == STET_RATE_LIMITED || stet_status_http(status) >= 500)
		return status;
	error = problems_error(call);
	problems_add(p, c, title, text_of(error, "code"), text_of(error, "message"));
	issues = json_object_get(json_object_get(error, "details"), "issues");
	if (issues != NULL)
		(void)json_object_set(
		    json_array_get(p->list, json_array_size(p->list) - 1), "issues", issues);
	return STET_OK;
}

enum stet_status
problems_end(struct stet_call *call, const struct problems *p, const char *text)
{
	const size_t n = json_array_size(p->list);

	if (n == 0)
		return STET_OK;
	(void)stet_fail(call, stet_code(call, "RELEASE_BLOCKED"), NULL,
	    "%s: %zu problem%s, see details.problems", text, n, n == 1 ? "" : "s");
	stet_detail_json(call, "problems", p->list);
	return stet_error_status(call);
}
