/*
 * contents.c - converts the contents of a batch of entries to Portable Text. This is most of the
 * CPU time of an import and needs nothing but the texts, so several cores may share it.
 */
#include "item/contents.h"
#include "item/fields.h"
#include "item/relative.h"
#include "item/shown.h"
#include "state/account.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stet/portabletext.h>
#include <string.h>
#include <unistd.h>

#define CHECKED_MOST (1u << 20) /* bytes; a longer content is not compared with its source */
#define THREADS_MOST 4
#define ALONE_MOST 8 /* up to so many contents, threads are not worth it */

struct content {
	struct import_item *entry;
	const char *text;
	json_t *blocks, *lost; /* the blocks, and notices of what was lost */
	struct stet_html_counts shown, missing;
};

struct contents {
	const struct stet_html_1 *html;
	struct content *list;
	size_t count;
	atomic_size_t next;
};

void
contents_later(struct import_item *entry)
{
	json_t *data = item_data(entry);

	(void)json_object_set_new(data, "content", json_true());
	entry->content_waits = true;
	entry->content_at = json_array_size(entry->notices);
}

/* ---- converting ---- */

/* Converts a content, and compares it with its source unless that would take seconds. */
static void
convert(const struct stet_html_1 *html, struct content *c)
{
	size_t len = strlen(c->text);

	c->blocks = len <= CHECKED_MOST ? html->read_counted(c->text, len, &c->lost, &c->shown,
					      &c->missing, sizeof(c->shown))
					: html->read(c->text, len, NULL);
}

static void *
work(void *arg)
{
	struct contents *all = arg;
	size_t i;

	while ((i = atomic_fetch_add(&all->next, 1)) < all->count)
		convert(all->html, &all->list[i]);
	return NULL;
}

static size_t
helpers_of(const struct run *run, size_t count)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (!run->alone || cores < 2 || count <= ALONE_MOST)
		return 0;
	return (size_t)(cores < THREADS_MOST ? cores : THREADS_MOST) - 1;
}

/* Helper threads block all signals, so that only the threads that expect signals get them. */
static void
convert_all(const struct run *run, struct contents *all)
{
	size_t wanted = helpers_of(run, all->count), count = 0;
	pthread_t helper[THREADS_MOST];
	sigset_t every, before;

	(void)sigfillset(&every);
	(void)pthread_sigmask(SIG_BLOCK, &every, &before);
	while (count < wanted && pthread_create(&helper[count], NULL, work, all) == 0)
		count++;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)work(all);
	while (count > 0)
		(void)pthread_join(helper[--count], NULL);
}

/* ---- entries ---- */

static void
tell(struct stet_call *call, const struct content *c, size_t at)
{
	json_t *notices = c->entry->notices, *one;
	size_t i;

	if (strlen(c->text) > CHECKED_MOST)
		(void)json_array_insert_new(notices, at,
		    json_string("The content is too long to be compared with what it was"));
	json_array_foreach(c->lost, i, one)
	{
		const char *text = json_string_value(one);

		(void)json_array_insert_new(notices, at + i,
		    json_string(strncmp(text, "block: ", 7) == 0
				    ? stet_printf(call, "Not shown by the content: %s", text)
				    : stet_printf(call, "Not in the content: %s", text)));
	}
}

static void
enter(json_t *account, const char *name, const struct stet_html_counts *s,
    const struct stet_html_counts *m)
{
	account_add(
	    account, ACCOUNT_CHARACTERS, name, s->characters, s->characters - m->characters, 0);
	account_add(account, ACCOUNT_LINKS, name, s->links, s->links - m->links, 0);
	account_add(account, ACCOUNT_PICTURES, name, s->pictures, s->pictures - m->pictures, 0);
	account_add(account, ACCOUNT_PLAYERS, name, s->players, s->players - m->players, 0);
}

/* ---- texts that are blocks in the source ---- */

void
contents_given(struct import_item *entry, const char *name, const json_t *blocks,
    const json_t *stored, const json_t *lost)
{
	struct stet_html_counts shown = { 0 }, missing = { 0 };

	shown_add(&missing, stored);
	shown_add(&shown, blocks);
	shown.characters += json_integer_value(json_object_get(lost, "characters"));
	shown.links += json_integer_value(json_object_get(lost, "links"));
	shown.pictures += json_integer_value(json_object_get(lost, "pictures"));
	shown.players += json_integer_value(json_object_get(lost, "players"));
	missing.characters = shown.characters - missing.characters;
	missing.links = shown.links - missing.links;
	missing.pictures = shown.pictures - missing.pictures;
	missing.players = shown.players - missing.players;
	enter(entry->account, name, &shown, &missing);
}

json_t *
contents_other(struct stet_call *call, const struct run *run, const char *name, const char *text,
    json_t *account, json_t *notices)
{
	struct content c = { .text = text };
	json_t *one;
	size_t i;

	convert(stet_service(call, STET_HTML_1), &c);
	enter(account, name, &c.shown, &c.missing);
	json_array_foreach(c.lost, i, one)(void) json_array_append_new(notices,
	    json_string(stet_printf(call, "Not in %.63s: %s", name, json_string_value(one))));
	json_decref(c.lost);
	if (run->home != NULL)
		relative_links(call, run->home, c.blocks);
	return c.blocks;
}

json_t *
contents_value(struct stet_call *call, const struct run *run, struct import_item *entry,
    const char *name, const struct stet_field *f, const char *text)
{
	if (f->type->holds != STET_HOLDS_BLOCKS || *text == '\0' || *text == '[')
		return field_value(call, f, text);
	return contents_other(call, run, name, text, entry->account, entry->notices);
}

/* If the source carries the value itself beside the markup, own.c has set it already. */
static void
settle(struct stet_call *call, const struct run *run, struct content *c)
{
	json_t *data = item_data(c->entry);

	tell(call, c, c->entry->content_at);
	enter(c->entry->account, "", &c->shown, &c->missing);
	if (run->home != NULL)
		relative_links(call, run->home, c->blocks);
	if (json_is_true(json_object_get(data, "content")))
		(void)json_object_set(data, "content", c->blocks);
	json_decref(c->blocks);
	json_decref(c->lost);
	c->entry->content_waits = false;
}

void
contents_convert(struct stet_call *call, const struct run *run)
{
	struct contents all = { .html = stet_service(call, STET_HTML_1),
		.list = stet_alloc(call, run->batch_count * sizeof(*all.list)) };
	size_t i;

	for (i = 0; i < run->batch_count; i++) {
		struct import_item *entry = run->batch[i];

		if (entry->content_waits)
			all.list[all.count++] = (struct content){ .entry = entry,
				.text = entry->markup != NULL ? entry->markup : "" };
	}
	convert_all(run, &all);
	for (i = 0; i < all.count; i++)
		settle(call, run, &all.list[i]);
}
