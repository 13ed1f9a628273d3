/*
 * stages_media.c - copies the files of an export, and rewrites their addresses. Both hold a bounded
 * number of addresses in memory.
 */
#include "files/media.h"
#include "files/rewrite.h"
#include "files/urls.h"
#include "job/stages.h"
#include "plan/given.h"
#include "read/text.h"
#include "state/account.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/outcome.h"
#include <ctype.h>
#include <string.h>

#define ADDRESSES_MAX 20000 /* most addresses that one pass over the content replaces */

/* A batch of attachments of the export, with their outcomes. */
struct some {
	struct stages *stages;
	struct attachment all[MEDIA_AT_ONCE];
	struct outcome outcome[MEDIA_AT_ONCE];
	json_t *kept; /* owns the texts of the batch */
	size_t count;
	int64_t number; /* of the item in the export */
	/* For rewriting. */
	json_t *addresses; /* {old: new} */
	json_t *collections; /* those of an importer's items; NULL: all */
	bool last;
};

/* Copies a text, which lives as long as the batch; NULL for "". */
static const char *
keep(struct some *some, const char *text)
{
	json_t *copy = text != NULL && *text != '\0' ? json_string(text) : NULL;

	if (copy == NULL)
		return NULL;
	(void)json_array_append_new(some->kept, copy);
	return json_string_value(copy);
}

/* Adds an item to the batch. Returns false if it is no attachment. One without the address of its
 * file fails when it is copied. */
static bool
note(struct some *some, const struct wxr_item *item)
{
	const char *url = wxr_attachment_url(item);
	struct attachment *a = &some->all[some->count];

	some->number++;
	if (strcmp(item->type, "attachment") != 0)
		return false;
	*a = (struct attachment){ .source_id = item->id,
		.key = keep(some, item->key),
		.url = *url != '\0' ? keep(some, url) : "",
		.filename = *url != '\0' ? NULL : keep(some, item->title),
		.alt = keep(some, wxr_meta_value(item, WXR_ALT)),
		.caption = keep(some, item->excerpt) };
	some->outcome[some->count++] = (struct outcome){
		.number = some->number, .type = "attachment", .address = given_place(a->url)
	};
	return true;
}

static void
clear(struct some *some)
{
	some->count = 0;
	(void)json_array_clear(some->kept);
}

/* ---- copying ---- */

static enum stet_status
copied(struct stet_call *call, void *arg, size_t i, const char *id, const char *url, bool was_there)
{
	struct some *some = arg;

	(void)call;
	(void)url;
	some->stages->copied += !was_there;
	some->stages->there += was_there;
	some->outcome[i].outcome = was_there ? OUTCOME_SKIPPED : OUTCOME_CREATED;
	some->outcome[i].item = keep(some, id);
	return STET_OK;
}

static enum stet_status
failed(struct stet_call *call, void *arg, size_t i, const char *why)
{
	struct some *some = arg;
	struct stages *s = some->stages;

	s->failed++;
	s->says(s, STAGE_MEDIA,
	    *some->all[i].url != '\0' ? given_place(some->all[i].url)
				      : media_filename(call, &some->all[i]),
	    why);
	some->outcome[i].outcome = OUTCOME_FAILED;
	some->outcome[i].reason = keep(some, why);
	return STET_OK;
}

static enum stet_status
put_outcomes(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct some *some = arg;

	for (size_t i = 0; i < some->count; i++) {
		struct outcome *o = &some->outcome[i];

		o->source_id = some->all[i].key != NULL ? some->all[i].key
							: map_id(call, some->all[i].source_id);
		o->title = media_filename(call, &some->all[i]);
		STET_TRY(outcome_put(call, tx, &some->stages->run, o));
		if (o->item != NULL)
			STET_TRY(
			    ids_put_media(call, tx, &some->stages->run, o->source_id, o->item));
	}
	return STET_OK;
}

static enum stet_status
copy(struct stet_call *call, void *arg)
{
	struct some *some = arg;
	const struct media_sink sink = { NULL, copied, failed, some };
	const struct stages *s = some->stages;
	const struct media_here here = { s->directory,
		s->run.from != NULL && s->file_count > 0 ? s->files[0] : NULL };
	bool late;

	for (size_t i = 0; i < some->count; i++) {
		struct attachment *a = &some->all[i];

		a->alt = a->alt != NULL ? text_decode(call, a->alt) : NULL;
		a->caption = a->caption != NULL ? text_plain(call, a->caption) : NULL;
	}
	STET_TRY(media_copy(call, some->all, some->count, &here, &sink, &late));
	return some->stages->run.lasts || some->stages->run.origin != NULL
		   ? stet_write_lane(call, put_outcomes, some)
		   : STET_OK;
}

static enum stet_status
copy_some(struct some *some)
{
	struct stages *s = some->stages;

	if (some->count == 0)
		return STET_OK;
	STET_TRY(stet_scope(s->call, copy, some));
	clear(some);
	return s->step(s, STAGE_MEDIA, s->copied + s->there + s->failed, s->attachments);
}

static enum stet_status
take_to_copy(void *arg, const struct wxr_item *item)
{
	struct some *some = arg;

	return note(some, item) && some->count == MEDIA_AT_ONCE ? copy_some(some) : STET_OK;
}

/* ---- rewriting ---- */

static enum stet_status
rewrite(struct stet_call *call, void *arg)
{
	struct some *some = arg;
	struct stages *s = some->stages;
	struct rewritten done;

	STET_TRY(rewrite_content(
	    call, some->addresses, some->collections, some->last && s->run.from != NULL, &done));
	s->addresses += done.urls;
	s->rewritten += done.updated;
	for (size_t i = 0; i < json_array_size(done.errors); i++) {
		const json_t *one = json_array_get(done.errors, i);

		s->says(s, STAGE_REWRITE, json_string_value(json_object_get(one, "id")),
		    json_string_value(json_object_get(one, "error")));
	}
	return STET_OK;
}

static enum stet_status
rewrite_some(struct some *some)
{
	struct stages *s = some->stages;

	if (json_object_size(some->addresses) > 0 || (some->last && s->run.from != NULL))
		STET_TRY(stet_scope(s->call, rewrite, some));
	(void)json_object_clear(some->addresses);
	return s->step(s, STAGE_REWRITE, some->number, s->items);
}

/* Adds an address of the source, and the forms in which its own pages write it: see urls_plain, and
 * the path of an upload. A file that has only a path may have been missing in an earlier import, so
 * that the path is stored. */
static void
add_address(struct some *some, const char *url, const char *here)
{
	static const char *const folders[] = { "/wp-content/", "/uploads/", "/content/images/" };
	bool given = strncmp(url, GIVEN_FILE, strlen(GIVEN_FILE)) == 0;
	char plain[URLS_PLAIN];
	size_t len = urls_plain(url, strlen(url), plain), host = len > 8 ? 8 : len;

	(void)json_object_set_new(some->addresses, url, json_string(here));
	if (len == 0)
		return;
	(void)json_object_setn_new(some->addresses, plain, len, json_string(here));
	while (host < len && plain[host] != '/')
		host++;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (given ||
		    memmem(plain + host, len - host, folders[i], strlen(folders[i])) != NULL)
			(void)json_object_setn_new(
			    some->addresses, plain + host, len - host, json_string(here));
}

static enum stet_status
find_copies(struct stet_call *call, void *arg)
{
	struct some *some = arg;
	const char *url[MEDIA_AT_ONCE], *id[MEDIA_AT_ONCE] = { NULL }, *here[MEDIA_AT_ONCE];

	for (size_t i = 0; i < some->count; i++)
		url[i] = some->all[i].url;
	STET_TRY(copies_known(call, url, some->count, id, here));
	for (size_t i = 0; i < some->count; i++)
		if (id[i] != NULL) {
			some->stages->here++;
			add_address(some, url[i], here[i]);
		}
	return STET_OK;
}

static enum stet_status
find_some(struct some *some)
{
	if (some->count > 0)
		STET_TRY(stet_scope(some->stages->call, find_copies, some));
	clear(some);
	return json_object_size(some->addresses) >= ADDRESSES_MAX ? rewrite_some(some) : STET_OK;
}

static enum stet_status
take_to_rewrite(void *arg, const struct wxr_item *item)
{
	struct some *some = arg;

	return note(some, item) && some->count == MEDIA_AT_ONCE ? find_some(some) : STET_OK;
}

/* ---- both ---- */

/* The collections of the items of the source. */
static json_t *
collections_of(const struct stages *s)
{
	json_t *list = stet_json_own(s->call, json_array()), *set = json_object(), *mapping;
	const char *type;

	json_object_foreach((json_t *)(uintptr_t)s->mappings, type, mapping)
	{
		json_t *slug = json_object_get(mapping, "collection");

		if (!json_is_true(json_object_get(mapping, "enabled")) || !json_is_string(slug) ||
		    json_object_get(set, json_string_value(slug)) != NULL)
			continue;
		(void)json_object_set_new(set, json_string_value(slug), json_true());
		(void)json_array_append(list, slug);
	}
	json_decref(set);
	return list;
}

/* Reads the source; take NULL: prepares alone. */
static enum stet_status
walk(struct stages *s, enum stet_status (*take)(void *, const struct wxr_item *), struct some **out)
{
	struct stet_call *call = s->call;
	struct some *some = stet_alloc(call, sizeof(*some));
	const struct wxr_sink sink = { .item = take, .arg = some };

	some->stages = s;
	some->kept = stet_json_own(call, json_array());
	some->addresses = stet_json_own(call, json_object());
	some->collections = s->run.from != NULL ? collections_of(s) : NULL;
	*out = some;
	return take == NULL
		   ? STET_OK
		   : given_read(call, s->run.from, s->files, s->file_count, s->run.names, &sink);
}

static enum stet_status
copy_all(struct stet_call *call, void *arg)
{
	struct some *some;

	(void)call;
	STET_TRY(walk(arg, take_to_copy, &some));
	return copy_some(some);
}

enum stet_status
stages_media(struct stages *s)
{
	s->copied = s->there = s->failed = 0;
	return stet_scope(s->call, copy_all, s);
}

static enum stet_status
rewrite_all(struct stet_call *call, void *arg)
{
	struct some *some;

	(void)call;
	STET_TRY(walk(arg, take_to_rewrite, &some));
	STET_TRY(find_some(some));
	some->last = true;
	return rewrite_some(some);
}

static enum stet_status
mend_all(struct stet_call *call, void *arg)
{
	struct some *some;

	(void)call;
	STET_TRY(walk(arg, NULL, &some));
	some->last = true;
	return rewrite_some(some);
}

enum stet_status
stages_rewrite(struct stages *s, bool copied)
{
	s->addresses = s->rewritten = s->here = 0;
	return stet_scope(s->call, copied ? rewrite_all : mend_all, s);
}

/* Has the title more than the name of the file, of which WordPress makes one? */
static bool
is_title(const char *title, const char *url)
{
	const char *slash = strrchr(url, '/'), *name = slash != NULL ? slash + 1 : url;
	bool more = false;

	for (; *title != '\0' && !more; title++) {
		if (!isalnum((unsigned char)*title) && (unsigned char)*title < 0x80)
			continue;
		while (
		    *name != '\0' && !isalnum((unsigned char)*name) && (unsigned char)*name < 0x80)
			name++;
		more = *name == '\0' ||
		       tolower((unsigned char)*title) != tolower((unsigned char)*name);
		name += !more;
	}
	return more;
}

void
stages_note_media(struct stages *s, const struct wxr_item *item)
{
	if (strcmp(item->type, "attachment") != 0)
		return;
	s->attachments++;
	/* Without an address, the title names the file. */
	s->titles +=
	    *wxr_attachment_url(item) != '\0' && is_title(item->title, wxr_attachment_url(item));
	s->descriptions += *item->content != '\0';
}

/* The analysis, the copying and the rewriting each read the source and count for themselves. */
void
stages_media_account(const struct stages *s, bool copied, json_t *account)
{
	account_add(account, ACCOUNT_VALUES, "attachment title", s->titles, 0, s->titles);
	account_add(
	    account, ACCOUNT_VALUES, "attachment description", s->descriptions, 0, s->descriptions);
	if (!copied) {
		account_add(account, ACCOUNT_MEDIA, "", s->attachments, 0, s->attachments);
		return;
	}
	account_add(account, ACCOUNT_MEDIA, "", s->attachments, s->copied + s->there, 0);
	account_count(account, "media",
	    &(struct account_counted){ s->attachments, s->here, .told = s->failed });
}
