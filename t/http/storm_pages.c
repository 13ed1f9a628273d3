/*
 * storm_pages.c - an item that is changed, published and restored to earlier revisions, and a
 * module that is disabled and enabled, while the daemon is killed. Each has one client, so the
 * stored state is the last acknowledged one, or the same with the one change in flight, completely.
 */
#include "storm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the module ---- */

static struct {
	bool off, moving;
} widgets;

static bool
module_step(struct storm_client *c, struct storm_kind *kind)
{
	widgets.moving = true;
	if (!storm_must(c, 200, "POST",
		widgets.off ? "/admin/plugins/widgets/enable" : "/admin/plugins/widgets/disable",
		"{}"))
		return false;
	widgets.off = !widgets.off;
	widgets.moving = false;
	kind->acknowledged++;
	return true;
}

/* Compares a module with its entry in the list, with the responses of its routes, and with what it
 * stored before. */
static size_t
descriptor_check(struct storm_client *c, struct storm_kind *kind)
{
	size_t lost = 0;
	json_t *data;
	bool off;
	int status;

	(void)kind;
	if (!storm_must(c, 200, "GET", "/admin/plugins/widgets", ""))
		return STORM_LOST("what is known of the module\n");
	data = storm_data(c);
	off = json_is_false(json_object_get(json_object_get(data, "item"), "enabled"));
	json_decref(data);
	if (off != widgets.off && !widgets.moving)
		lost += STORM_LOST("the module was %s\n", widgets.off ? "disabled" : "enabled");
	widgets.off = off;
	widgets.moving = false;
	status = storm_ask(c, "GET", "/widget-areas", "");
	if (status != (off ? 404 : 200) || (!off && strstr(c->reply, "\"kept\"") == NULL))
		lost += STORM_LOST(
		    "the module is %s, its route answers %d\n", off ? "off" : "on", status);
	return lost;
}

static void
module_lie(struct storm_kind *kind)
{
	(void)kind;
	widgets.off = !widgets.off;
}

struct storm_kind storm_modules = { "modules", &widgets, module_step, descriptor_check, module_lie,
	0 };

/* ---- the item ---- */

#define HISTORY 30 /* revisions that are remembered; the site stores more */

struct page {
	long live, draft; /* values; draft is -1 if there is none */
	long history[HISTORY]; /* the values of the revisions, newest first */
	size_t count;
};

static struct {
	struct page now, then; /* the acknowledged state, and that with the change in flight */
	bool moving;
	long next;
	unsigned turn;
} pages = { .now = { .draft = -1, .count = 1 } };

/* A new revision becomes the draft. */
static void
stage(struct page *page, long value)
{
	memmove(page->history + 1, page->history, sizeof(page->history) - sizeof(long));
	page->history[0] = page->draft = value;
	if (page->count < HISTORY)
		page->count++;
}

/* The id of the revision with this index; 0 is the newest. */
static bool
revision_id(struct storm_client *c, size_t index, char id[40])
{
	json_t *data;

	if (!storm_must(c, 200, "GET", "/content/pages/page/revisions?limit=30", ""))
		return false;
	data = storm_data(c);
	snprintf(id, 40, "%s",
	    json_string_value(
		json_object_get(json_array_get(json_object_get(data, "items"), index), "id")));
	json_decref(data);
	return true;
}

/* Writes the request of the next step: a change, another one, then the publication. Some steps
 * restore an earlier revision instead, but never one with the value of the draft. */
static bool
next_change(struct storm_client *c, char path[96], char body[64])
{
	size_t back = 3 + pages.turn % 5;
	char id[40];

	snprintf(body, 64, "{}");
	pages.then = pages.now;
	if (pages.turn++ % 3 == 2) {
		snprintf(path, 96, "/content/pages/page/publish");
		if (pages.now.draft >= 0)
			pages.then.live = pages.now.draft;
		pages.then.draft = -1;
	} else if (pages.turn % 3 == 2 && back < pages.now.count &&
		   pages.now.history[back] != pages.now.live &&
		   pages.now.history[back] != pages.now.draft) {
		if (!revision_id(c, back, id))
			return false;
		snprintf(path, 96, "/revisions/%s/restore", id);
		stage(&pages.then, pages.now.history[back]);
	} else {
		snprintf(path, 96, "/content/pages/page");
		snprintf(body, 64, "{\"data\":{\"n\":%ld}}", ++pages.next);
		stage(&pages.then, pages.next);
	}
	return true;
}

static bool
page_step(struct storm_client *c, struct storm_kind *kind)
{
	char path[96], body[64];

	if (!next_change(c, path, body))
		return false;
	pages.moving = true;
	if (!storm_must(c, 200, body[2] == '\0' ? "POST" : "PUT", path, body))
		return false;
	pages.now = pages.then;
	pages.moving = false;
	kind->acknowledged++;
	return true;
}

static long
number_in(json_t *data, const char *member)
{
	json_t *n = json_object_get(json_object_get(data, member), "n");

	return json_is_integer(n) ? (long)json_integer_value(n) : -1;
}

/* Reads the stored item. */
static bool
page_read(struct storm_client *c, struct page *page)
{
	json_t *data, *items, *item;
	size_t i;

	if (!storm_must(c, 200, "GET", "/content/pages/page/compare", ""))
		return false;
	data = storm_data(c);
	*page = (struct page){ number_in(data, "live"), number_in(data, "draft"), { 0 }, 0 };
	json_decref(data);
	if (!storm_must(c, 200, "GET", "/content/pages/page/revisions?limit=30", ""))
		return false;
	data = storm_data(c);
	items = json_object_get(data, "items");
	json_array_foreach(items, i, item) if (page->count < HISTORY) page->history[page->count++] =
	    number_in(item, "data");
	json_decref(data);
	return true;
}

static bool
same(const struct page *a, const struct page *b)
{
	return a->live == b->live && a->draft == b->draft && a->count == b->count &&
	       memcmp(a->history, b->history, a->count * sizeof(a->history[0])) == 0;
}

static size_t
page_check(struct storm_client *c, struct storm_kind *kind)
{
	const struct page *now = &pages.now;
	struct page page;
	size_t lost = 0;

	(void)kind;
	if (!page_read(c, &page))
		return STORM_LOST("the item with revisions\n");
	if (!same(&page, now) && !(pages.moving && same(&page, &pages.then)))
		lost = STORM_LOST("live %ld, draft %ld, %zu revisions from %ld down; not %ld, %ld, "
				  "%zu from %ld down\n",
		    page.live, page.draft, page.count, page.history[0], now->live, now->draft,
		    now->count, now->history[0]);
	pages.now = page;
	pages.moving = false;
	return lost;
}

static void
page_lie(struct storm_kind *kind)
{
	(void)kind;
	pages.now.history[pages.now.count - 1]++;
}

struct storm_kind storm_revisions = { "revisions", &pages, page_step, page_check, page_lie, 0 };
