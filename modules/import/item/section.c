/* section.c - imports reusable blocks as sections. A section exists already if its source id is
 * known, or its slug is taken. */
#include "item/section.h"
#include "item/confirm.h"
#include "item/contents.h"
#include "item/own.h"
#include "item/parts.h"
#include "item/trial.h"
#include "read/label.h"
#include "read/text.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stet/portabletext.h>
#include <string.h>

#define SLUG_MAX 200
#define TITLE_MAX 200 /* characters */

/* Returns a slug of a to z, digits and hyphens, as sections require it. */
static const char *
slug_of(struct stet_call *call, const struct wxr_item *item)
{
	const char *text =
	    *item->slug != '\0' ? text_unescape(call, item->slug) : text_decode(call, item->title);
	const char *slug = label_ascii_slug(call, text);

	if (*slug == '\0')
		return stet_printf(call, "block-%lld", (long long)item->id);
	return stet_strndup(call, slug, SLUG_MAX);
}

/* A reusable block, and the section that it is or becomes. */
struct block {
	struct run *run;
	const struct wxr_item *item;
	const char *source; /* its id in the source */
	const char *slug, *title;
	struct kept kept;
	const char *changed; /* when the section was changed last; NULL: there is none */
	json_t *args;
	const char *hash, *op;
	struct item_told *told;
};

static const char *
tried_name(struct stet_call *call, const struct block *b)
{
	return stet_printf(call, "section" MAP_SEP "%s", b->slug);
}

/* Notes that a dry run has made the section, and rolled it back. */
static enum stet_status
note_tried(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct block *b = arg;

	return map_put(call, tx, b->run, MAP_SLUG, tried_name(call, b), "");
}

static enum stet_status
find(struct stet_call *call, struct block *b)
{
	STET_TRY(
	    op_changed(call, "section_get", json_pack("{ss}", "section", b->slug), &b->changed));
	return b->changed != NULL || !b->run->tries
		   ? STET_OK
		   : map_get(call, b->run, MAP_SLUG, tried_name(call, b), &b->changed);
}

/* Reads the arguments of section_create or section_update. */
static enum stet_status
read_args(struct stet_call *call, struct block *b)
{
	json_t *content = contents_other(
	    call, b->run, "section", b->item->content, b->told->account, b->told->notices);

	b->args = stet_json_own(call,
	    json_pack("{ss so}", "title", text_cut(call, b->title, TITLE_MAX), "content", content));
	own_section(call, b->item, b->args);
	b->hash = ids_hash_of(call, b->args, "");
	return STET_OK;
}

static enum stet_status
write(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct block *b = arg;
	json_t *reply;

	STET_TRY(stet_invoke_json(call, b->op, json_incref(b->args), &reply));
	return part_put(call, tx, b->run, PART_SECTION, b->source, b->slug, b->hash,
	    json_string_value(json_object_get(reply, "updatedAt")));
}

static enum stet_status
tell(const struct block *b, const char *outcome, const char *reason)
{
	b->told->outcome = outcome;
	b->told->reason = reason;
	b->told->slug = b->slug;
	return STET_OK;
}

/* Reads back what the section shows; one that a dry run has rolled back shows what it was to show.
 */
static enum stet_status
confirm(struct stet_call *call, const struct block *b)
{
	json_t *reply = b->args;

	if (!b->run->tries)
		STET_TRY(stet_invoke_json(
		    call, "section_get", json_pack("{ss}", "section", b->slug), &reply));
	confirm_part(call, b->told->account, b->told->notices, json_object_get(b->args, "content"),
	    json_object_get(reply, "content"));
	return STET_OK;
}

/* Writes the section. If that is refused, reports the refusal, and the import goes on. */
static enum stet_status
store(struct stet_call *call, struct block *b, const char *outcome)
{
	enum stet_status status = trial_lane(call, b->run, write, b);
	const char *why;

	if (status == STET_OK && b->run->tries)
		STET_TRY(stet_write_lane(call, note_tried, b));
	if (status == STET_OK)
		STET_TRY(confirm(call, b));
	if (status == STET_OK) {
		if (strcmp(outcome, OUTCOME_CREATED) == 0)
			b->run->report.sections_made++;
		else
			b->run->report.updated++;
		return tell(b, outcome, NULL);
	}
	if (stet_status_http(status) >= 500)
		return status;
	why = stet_error_text(call);
	report_error(&b->run->report, b->title, why);
	stet_error_clear(call);
	return tell(b, OUTCOME_FAILED, why);
}

/* Updates the section of an earlier import, or leaves it as it is. *outcome NULL: it was deleted
 * here, and is to be made again. */
static enum stet_status
renew(struct stet_call *call, struct block *b, const char **outcome)
{
	const char *reason;

	STET_TRY(find(call, b));
	*outcome = part_outcome(b->run, &b->kept, b->hash, b->changed, &reason);
	if (*outcome == NULL)
		return STET_OK;
	if (strcmp(*outcome, OUTCOME_UPDATED) == 0) {
		b->op = "section_update";
		(void)json_object_set_new(b->args, "section", json_string(b->slug));
		return store(call, b, *outcome);
	}
	if (strcmp(*outcome, OUTCOME_CONFLICT) == 0) {
		b->run->report.conflicts++;
		report_notice(&b->run->report, b->title, reason);
	} else {
		b->run->report.sections_skipped++;
	}
	return tell(b, *outcome, reason);
}

enum stet_status
section_import(struct run *run, const struct wxr_item *item, struct item_told *told)
{
	struct stet_call *call = run->call;
	struct block b = {
		.run = run, .item = item, .source = map_item(call, item), .hash = "", .told = told
	};
	const char *outcome = NULL;

	*told = (struct item_told){ .account = stet_json_own(call, json_object()),
		.notices = stet_json_own(call, json_array()) };
	b.title = text_decode(call, item->title);
	if (b.title[strspn(b.title, " \t\n")] == '\0')
		b.title = "Untitled Block";
	STET_TRY(part_find(call, run, PART_SECTION, b.source, &b.kept));
	if (b.kept.item != NULL) {
		b.slug = b.kept.item;
		if (run->updates)
			STET_TRY(read_args(call, &b));
		STET_TRY(renew(call, &b, &outcome));
		if (outcome != NULL)
			return STET_OK;
	}
	b.slug = slug_of(call, item);
	STET_TRY(find(call, &b));
	if (b.changed != NULL) {
		run->report.sections_skipped++;
		return tell(&b, OUTCOME_SKIPPED, NULL);
	}
	STET_TRY(read_args(call, &b));
	b.op = "section_create";
	(void)json_object_set_new(b.args, "slug", json_string(b.slug));
	(void)json_object_set_new(b.args, "source", json_string("import"));
	return store(call, &b, OUTCOME_CREATED);
}
