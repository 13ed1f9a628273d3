/* section.c - reusable blocks become sections. One whose slug is taken is there already. */
#include "convert/convert.h"
#include "own.h"
#include "run.h"
#include <ctype.h>
#include <string.h>

#define SLUG_MAX 200
#define TITLE_MAX 200 /* characters */

/* Letters a to z, digits and hyphens, as sections want it. */
static const char *
slug_of(struct stet_call *call, const struct wxr_item *item)
{
	const char *text =
	    *item->slug != '\0' ? text_unescape(call, item->slug) : text_decode(call, item->title);
	char *slug = stet_slugify(call, text), *to = slug;

	for (const char *c = slug; *c != '\0'; c++)
		if (isascii((unsigned char)*c) && (isalnum((unsigned char)*c) || *c == '-'))
			*to++ = (char)tolower((unsigned char)*c);
	*to = '\0';
	if (*slug == '\0')
		return stet_printf(call, "block-%lld", (long long)item->id);
	return stet_strndup(call, slug, SLUG_MAX);
}

struct making {
	json_t *args;
};

static enum stet_status
make(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct making *m = arg;
	json_t *reply;

	(void)tx;
	return op_run(call, "section_create", json_incref(m->args), &reply);
}

enum stet_status
section_import(struct run *run, const struct wxr_item *item)
{
	struct stet_call *call = run->call;
	const char *slug = slug_of(call, item), *title = text_decode(call, item->title);
	json_t *reply, *content = NULL;
	const char *why;
	struct making m;
	enum stet_status status =
	    op_run(call, "section_get", json_pack("{ss}", "section", slug), &reply);

	if (status == STET_OK) {
		run->report.sections_skipped++;
		return write_told(run, item, OUTCOME_SKIPPED, NULL, slug);
	}
	if (stet_error_status(call) != STET_NOT_FOUND)
		return status;
	stet_error_clear(call);
	STET_TRY(convert_text(call, item->content, strlen(item->content), NULL, NULL, &content));
	if (title[strspn(title, " \t\n")] == '\0')
		title = "Untitled Block";
	m.args = stet_json_own(
	    call, json_pack("{ss ss so ss}", "slug", slug, "title",
		      text_cut(call, title, TITLE_MAX), "content", content, "source", "import"));
	own_section(call, item, m.args);
	status = stet_write_lane(call, make, &m);
	if (status == STET_OK) {
		run->report.sections_made++;
		return write_told(run, item, OUTCOME_CREATED, NULL, slug);
	}
	if (stet_status_http(status) >= 500)
		return status;
	why = stet_error_text(call);
	report_error(&run->report, title, why);
	stet_error_clear(call);
	return write_told(run, item, OUTCOME_FAILED, why, slug);
}
