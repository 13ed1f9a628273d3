/*
 * passes.c - the two passes over an export. The first reads to the end, so that nothing is written
 * from a file that is incomplete. It notes what the second pass needs to know before it gets there.
 */
#include "run/passes.h"
#include "item/entry.h"
#include "item/gallery.h"
#include "item/menu.h"
#include "item/relative.h"
#include "item/renew.h"
#include "item/section.h"
#include "item/terms.h"
#include "item/trial.h"
#include "item/variant.h"
#include "item/wait.h"
#include "plan/given.h"
#include "plan/names.h"
#include "plan/suggest.h"
#include "read/text.h"
#include "run/doubles.h"
#include "run/tally.h"
#include "run/write.h"
#include "state/account.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum stet_status
tell(struct run *run, enum run_step step)
{
	return run->told != NULL ? run->told(run, step) : STET_OK;
}

/* An author, term, item or notice of the source, which is handled in a scope of its own. */
struct visit {
	struct run *run;
	const void *thing;
};

static enum stet_status
visit(struct run *run, enum stet_status (*fn)(struct stet_call *, void *), const void *thing)
{
	struct visit v = { run, thing };

	return stet_scope(run->call, fn, &v);
}

/* ---- the first pass ---- */

static enum stet_status
note_author(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;
	const struct wxr_author *a = v->thing;

	return map_note(v->run, MAP_NAME, a->login, text_decode(call, a->display_name));
}

static enum stet_status
note_term(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;
	struct wxr_term term = *(const struct wxr_term *)v->thing;

	(void)call;
	STET_TRY(terms_number(v->run, &term));
	STET_TRY(menu_note_own(v->run, &term));
	term.id = 1; /* marks a term of the head of a file for terms_note */
	return terms_note(v->run, &term, v->run->locale);
}

static enum stet_status
note_attachment(struct stet_call *call, struct run *run, const struct wxr_item *item)
{
	const char *url = wxr_attachment_url(item);
	const char *alt = wxr_meta_value(item, WXR_ALT);

	if (*url == '\0')
		return STET_OK;
	if (alt != NULL)
		alt = text_decode(call, alt);
	STET_TRY(gallery_note(call, run, item));
	return map_note(run, MAP_ATTACHMENT, map_item(call, item),
	    json_dumps_own(call, json_pack("{ss ss ss ss*}", "id", "", "provider", "external",
				     "src", url, "alt", alt)));
}

static enum stet_status
note_labels(struct stet_call *call, struct run *run, const struct wxr_item *item)
{
	const char *locale, *wanted, *group;

	STET_TRY(variant_of(call, run, item, &locale, &wanted, &group));
	for (size_t i = 0; locale != NULL && i < item->label_count; i++) {
		const struct wxr_term term = { .taxonomy = item->labels[i].taxonomy,
			.slug = item->labels[i].slug,
			.name = item->labels[i].text };

		STET_TRY(terms_note(run, &term, locale));
	}
	return STET_OK;
}

/* Links of texts to the item's page become links to the item. */
static enum stet_status
note_page(struct stet_call *call, struct run *run, const struct wxr_item *item)
{
	const char *path = run->home != NULL && run->from != NULL
			       ? relative_page(call, run->home, item->link)
			       : NULL;

	return path != NULL ? map_note(run, MAP_PAGE, path, map_item(call, item)) : STET_OK;
}

static enum stet_status
note_item(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;
	const struct wxr_item *item = v->thing;

	if (strcmp(item->type, "attachment") == 0)
		return note_attachment(call, v->run, item);
	if (suggest_internal_type(item->type) || entry_collection(v->run, item->type) == NULL)
		return STET_OK;
	STET_TRY(note_page(call, v->run, item));
	return note_labels(call, v->run, item);
}

static enum stet_status
on_author(void *arg, const struct wxr_author *author)
{
	return visit(arg, note_author, author);
}

static enum stet_status
on_term(void *arg, const struct wxr_term *term)
{
	return visit(arg, note_term, term);
}

/* Adds to the number of items that the run should bring. Reusable blocks and menus become other
 * things. */
static void
expect(struct run *run, const struct wxr_item *item, int64_t n)
{
	const char *collection = entry_collection(run, item->type);
	bool other = (run->sections && strcmp(item->type, "wp_block") == 0) ||
		     (run->menus && strcmp(item->type, "nav_menu_item") == 0);

	if (!other && !suggest_internal_type(item->type) && collection != NULL)
		report_add(run->expected, collection, n);
}

static enum stet_status
on_first_item(void *arg, const struct wxr_item *item)
{
	struct run *run = arg;

	run->read++;
	doubles_note(run, item);
	expect(run, item, 1);
	STET_TRY(tell(run, RUN_READ));
	return visit(run, note_item, item);
}

static enum stet_status
take_notice(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;
	const struct wxr_notice *notice = v->thing;
	struct run *run = v->run;
	const char *at = notice->line > 0
			     ? stet_printf(call, "%s%sline %lld", notice->file,
				   *notice->file != '\0' ? ", " : "", (long long)notice->line)
			     : notice->file;

	if (notice->type != NULL && *notice->type != '\0') {
		bool left = json_object_get(run->types, notice->type) != NULL &&
			    entry_collection(run, notice->type) == NULL;

		account_add(run->report.rest, ACCOUNT_ITEMS, notice->type, 1, 0, left ? 1 : 0);
	}
	return outcome_tell(
	    run, at, notice->skipped ? OUTCOME_FAILED : OUTCOME_REPAIRED, notice->text);
}

static enum stet_status
on_notice(void *arg, const struct wxr_notice *notice)
{
	return visit(arg, take_notice, notice);
}

/* ---- the second pass ---- */

static enum stet_status
fail_item(struct run *run, const struct wxr_item *item, const char *why)
{
	report_error(&run->report, item_title(run->call, item), why);
	return write_told(run, item, &(struct item_told){ OUTCOME_FAILED, .reason = why });
}

static enum stet_status
import_item(struct stet_call *call, struct run *run, const struct wxr_item *item)
{
	const char *slug = entry_collection(run, item->type);
	enum stet_status status;
	struct import_item *entry = NULL;
	const struct stet_collection *c;
	const char *why;

	if (suggest_internal_type(item->type))
		return STET_OK;
	if (slug == NULL) {
		run->report.skipped++;
		STET_TRY(map_note(run, MAP_LEFT, map_item(call, item), ""));
		return write_told(run, item,
		    &(struct item_told){ OUTCOME_SKIPPED, .reason = "Its type is not imported" });
	}
	STET_TRY(trial_find(call, run, slug, &c));
	if (c == NULL)
		return fail_item(
		    run, item, stet_printf(call, "Collection \"%s\" does not exist", slug));
	STET_TRY(renew_stays(call, run, item, slug, &entry));
	if (entry != NULL)
		return write_add(run, entry);
	status = entry_of(call, run, item, c, &entry);
	if (status == STET_OK)
		return write_add(run, entry);
	item_free(entry);
	if (stet_status_http(status) >= 500)
		return status;
	why = stet_error_text(call);
	stet_error_clear(call);
	return fail_item(run, item, why);
}

static enum stet_status
import_section(struct run *run, const struct wxr_item *item)
{
	struct item_told told;

	STET_TRY(section_import(run, item, &told));
	return write_told(run, item, &told);
}

static enum stet_status
take_item(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;
	const struct wxr_item *item = v->thing;

	if (strcmp(item->type, "wp_block") == 0 && v->run->sections)
		return import_section(v->run, item);
	if (strcmp(item->type, "nav_menu_item") == 0 && v->run->menus)
		return menu_note(v->run, item);
	return import_item(call, v->run, item);
}

static enum stet_status
on_second_site(void *arg, const struct wxr_site *site)
{
	struct run *run = arg;
	const char *origin;

	(void)json_object_set_new(run->channel, "title", json_string(site->title));
	(void)json_object_set_new(run->channel, "tagline", json_string(site->description));
	if (!run->keeps_ids || run->origin_given)
		return STET_OK;
	origin = ids_origin(run->call, site);
	(void)snprintf(run->site, sizeof(run->site), "%s", origin != NULL ? origin : "");
	run->origin = origin != NULL ? run->site : NULL;
	return STET_OK;
}

static enum stet_status
on_second_item(void *arg, const struct wxr_item *item)
{
	struct run *run = arg;
	struct wxr_item copy;
	bool again;

	item = doubles_tell(run, item, &copy, &again);
	if (again)
		expect(run, item, -1);
	return ++run->number <= run->done ? STET_OK : visit(run, take_item, item);
}

/* ---- both ---- */

static enum stet_status
read_all(struct run *run, const struct wxr_sink *sink)
{
	if (run->source != NULL)
		return run->source(run, sink);
	return given_read(run->call, run->from, run->paths, run->path_count, run->names, sink);
}

/* Reads how far a resumed run had come. */
static enum stet_status
find_number(struct run *run)
{
	const char *value = NULL;

	if (run->lasts)
		STET_TRY(map_get(run->call, run, MAP_AT, "", &value));
	run->done = run->kept = value != NULL ? strtoll(value, NULL, 10) : 0;
	return STET_OK;
}

/* Reports the labels that have got another slug than the one that is made of them. */
static enum stet_status
tell_names(struct run *run)
{
	const json_t *told = json_object_get(run->names->known, "told"), *one;
	size_t i;

	json_array_foreach(told, i, one)
	{
		STET_TRY(outcome_tell(run, json_string_value(json_object_get(one, "about")),
		    OUTCOME_REPAIRED, json_string_value(json_object_get(one, "text"))));
	}
	return STET_OK;
}

enum stet_status
run_passes(struct run *run)
{
	const struct wxr_sink first = { .author = on_author,
		.term = on_term,
		.item = on_first_item,
		.notice = on_notice,
		.arg = run };
	const struct wxr_sink second = {
		.site = on_second_site, .item = on_second_item, .arg = run
	};

	STET_TRY(tell(run, RUN_BEGUN));
	STET_TRY(read_all(run, &first));
	STET_TRY(map_store(run));
	STET_TRY(terms_make(run));
	STET_TRY(tell(run, RUN_TERMS));
	STET_TRY(find_number(run));
	STET_TRY(read_all(run, &second));
	STET_TRY(write_flush(run));
	STET_TRY(map_store(run));
	STET_TRY(write_waiting(run));
	STET_TRY(wait_finish(run));
	STET_TRY(map_store(run));
	if (run->menus)
		STET_TRY(menu_make(run));
	STET_TRY(tell_names(run));
	STET_TRY(tally(run));
	account_join(run->report.account, run->report.rest);
	return tell(run, RUN_DONE);
}
