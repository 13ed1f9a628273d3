/* times.c - when an item of the source, or a comment, was made and changed. */
#include "item/times.h"
#include "read/dates.h"
#include "read/text.h"
#include "state/account.h"
#include <string.h>

#define TEXTS_MAX 3

/* What the source says about one time. */
struct said {
	const char *name; /* of the first text in the source, for reports */
	const char *text[TEXTS_MAX]; /* "": it has none; the first that can be read counts */
	const char *time; /* result; NULL: none */
	const char *unread; /* a text that is no date, before the one that was read; or NULL */
};

/* WordPress writes dates of zeros where it has none; as RFC 2822, they are of the year -1. */
static bool
is_none(const char *text)
{
	return *text == '\0' || strncmp(text, "0000", 4) == 0 || strncmp(text, "-0001", 5) == 0 ||
	       strstr(text, " -0001") != NULL;
}

static const char *
time_of(struct stet_call *call, const char *text)
{
	const char *time = text_time(call, text);

	if (time == NULL)
		time = dates_read(call, text, DATES_ANY);
	return time != NULL ? time : text_mail_time(call, text);
}

static void
read(struct stet_call *call, struct said *s)
{
	for (size_t i = 0; i < TEXTS_MAX && s->time == NULL; i++) {
		if (s->text[i] == NULL || is_none(s->text[i]))
			continue;
		s->time = time_of(call, s->text[i]);
		if (s->time == NULL && s->unread == NULL)
			s->unread = s->text[i];
	}
}

/* about: what has the time, "it" or a comment; instead: the time that it has got. */
static void
tell(struct stet_call *call, const struct said *s, const char *about, const char *instead,
    struct import_item *entry)
{
	if (s->unread == NULL)
		return;
	item_notice(
	    entry, stet_printf(call, "\"%.80s\" is no date that can be read (%s): %s has %s",
		       s->unread, s->name, about, instead));
	account_add(entry->account, ACCOUNT_VALUES, s->name, 1, s->time != NULL ? 1 : 0, 0);
}

static const char *
instead_of(struct stet_call *call, const struct said *s)
{
	return s->time != NULL ? stet_printf(call, "the time %s of another member", s->time)
			       : "the time of the import";
}

static void
put(json_t *body, const char *member, const char *time)
{
	if (time != NULL)
		(void)json_object_set_new(body, member, json_string(time));
}

void
times_read(
    struct stet_call *call, const struct wxr_item *item, bool public, struct import_item *entry)
{
	struct said made = { .name = "post_date",
		.text = { item->date_gmt, item->published, item->date } };
	struct said changed = { .name = "post_modified",
		.text = { item->modified_gmt, item->modified } };
	const char *created;

	read(call, &made);
	read(call, &changed);
	created = made.time != NULL || made.unread == NULL ? made.time : changed.time;
	tell(call, &made, "it",
	    made.time == NULL && created != NULL ? "the time of its last change"
						 : instead_of(call, &made),
	    entry);
	tell(call, &changed, "it", instead_of(call, &changed), entry);
	put(entry->body, "createdAt", created);
	if (public)
		put(entry->body, "publishedAt", created);
	put(entry->body, "updatedAt", changed.time);
}

const char *
times_comment(struct stet_call *call, const struct wxr_comment *c, struct import_item *entry)
{
	struct said made = { .name = "comment_date", .text = { c->date_gmt, c->date } };

	read(call, &made);
	tell(call, &made, stet_printf(call, "its comment %lld", (long long)c->id),
	    instead_of(call, &made), entry);
	return made.time;
}
