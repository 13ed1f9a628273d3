/*
 * back.c - takes one recorded change back, as the caller and with the ops that change it alone.
 *
 * Nothing that somebody else has changed since is lost: what is still as the change left it gets
 * its state from before, the rest stays and is told.
 */
#include "history.h"
#include <string.h>

/* What taking back one record needs. */
struct back {
	struct stet_call *call;
	const struct record *record;
	struct subject subject;
	const json_t *now;
	const struct trail *trail;
	struct outcome *out;
};

static bool
same(const json_t *a, const json_t *b, const char *name)
{
	const json_t *x = json_object_get(a, name), *y = json_object_get(b, name);

	return (x == NULL || json_is_null(x)) ? y == NULL || json_is_null(y)
					      : y != NULL && json_equal(x, y);
}

struct trail
trail_new(struct stet_call *call)
{
	return (struct trail){ stet_json_own(call, json_object()),
		stet_json_own(call, json_object()), stet_json_own(call, json_object()) };
}

static enum stet_status
read_now(struct stet_call *call, void *arg)
{
	struct back *b = arg;

	return state_read(call, &b->subject, &b->now);
}

/* Reads the present state as the system, as it was recorded: it is only compared. The caller, who
 * may read the thing, need not be allowed to read its terms. */
static enum stet_status
look(struct back *b)
{
	return stet_as_system(b->call, read_now, b);
}

static json_int_t
version_of(const json_t *state)
{
	return json_integer_value(json_object_get(state, "version"));
}

/* Returns true if nobody has changed the item since the record, but this undo. The undo then began
 * at what the session left: its later records follow one another without a version between them. */
static bool
is_alone(const struct back *b)
{
	const json_int_t now = version_of(b->now), after = version_of(b->record->after);
	json_int_t was, left;

	if (now == after)
		return now != 0;
	return json_unpack(json_object_get(b->trail->left, subject_text(b->call, &b->subject)),
		   "[II]", &was, &left) == 0 &&
	       was == after && left == now;
}

/* The same, also of an item that the record has moved to the trash, which is one change. */
static enum stet_status
stands_alone(const struct back *b, bool *out)
{
	int64_t version;

	*out = b->subject.kind == ITEM && is_alone(b);
	if (b->subject.kind != ITEM || b->record->after != NULL)
		return STET_OK;
	STET_TRY(state_version(b->call, &b->subject, &version));
	*out = version == version_of(b->record->before) + 1;
	return STET_OK;
}

/* Notes at which version an item that nobody else had changed is left, for the records before this
 * one. */
static enum stet_status
leave(const struct back *b)
{
	const char *key = subject_text(b->call, &b->subject);
	int64_t left;

	STET_TRY(state_version(b->call, &b->subject, &left));
	(void)json_object_set_new(b->trail->left, key,
	    json_pack("[II]", version_of(b->record->before), (json_int_t)left));
	return STET_OK;
}

static enum stet_status
say(struct back *b, const char *result, const char *reason)
{
	b->out->result = result;
	b->out->reason = reason;
	return STET_OK;
}

/* Copies an object without its nulls. A new reference. */
static json_t *
without_nulls(const json_t *object)
{
	json_t *out = json_object(), *value;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		if (!json_is_null(value))
			(void)json_object_set(out, name, value);
	}
	return out;
}

static enum stet_status
revert(struct back *b, const json_t *before, const json_t *after)
{
	const struct stet_release_part part = part_of(&b->subject, b->trail->groups);

	return releases(b->call)->revert(b->call, &part, before, after);
}

/* ---- widget areas ---- */

static bool
has_id(const json_t *widgets, const char *id)
{
	json_t *w;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)widgets, i, w)
	{
		if (id != NULL && text_of(w, "id") != NULL && strcmp(text_of(w, "id"), id) == 0)
			return true;
	}
	return false;
}

/* Writes all widgets of the area. Those that were deleted come back with other ids. */
static enum stet_status
put_widgets(struct back *b, const json_t *wanted)
{
	static const char *const members[] = { "title", "content", "menuName", "componentId",
		"componentProps", NULL };
	const json_t *there = json_object_get(b->now, "widgets");
	json_t *all = json_array(), *w, *answer;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)wanted, i, w)
	{
		const bool stays = has_id(there, text_of(w, "id"));
		json_t *copy = json_copy(w);

		if (!stays)
			(void)json_object_del(copy, "id");
		for (const char *const *m = members; *m != NULL; m++)
			if (stays && json_object_get(copy, *m) == NULL)
				(void)json_object_set_new(copy, *m, json_null());
		(void)json_array_append_new(all, copy);
	}
	/* A part of this op: it is no tool, so a tool cannot run it alone. */
	return stet_invoke_json(b->call, "widget_area_put",
	    json_pack("{ss so}", "name", b->subject.name, "widgets", all), &answer);
}

/* ---- items ---- */

/* Runs an op on the item with its present _rev. Takes the reference of `args`. */
static enum stet_status
turn(struct back *b, const char *op, json_t *args)
{
	json_t *now;

	stet_json_own(b->call, args);
	(void)json_object_update_new(args, json_pack("{ss ss ss}", "collection", b->subject.name,
					       "id", b->subject.id, "fields", "id"));
	STET_TRY(stet_invoke_json(b->call, "content_get",
	    json_pack(
		"{ss ss ss}", "collection", b->subject.name, "id", b->subject.id, "fields", "id"),
	    &now));
	(void)json_object_set(args, "_rev", json_object_get(now, "_rev"));
	return stet_invoke_unread(b->call, op, json_incref(args));
}

/* Sets the times of the state before that have not passed. */
static enum stet_status
schedule_again(struct back *b)
{
	static const char *const times[] = { "scheduledAt", "unpublishAt" };
	json_t *args = stet_json_own(b->call, json_object());

	for (size_t i = 0; i < 2; i++) {
		const char *at = text_of(b->record->before, times[i]);
		int64_t ms;

		if (at != NULL && stet_time_parse(at, &ms) && ms > stet_now(b->call))
			(void)json_object_set_new(args, times[i], json_string(at));
	}
	return json_object_size(args) > 0 ? turn(b, "content_schedule", json_incref(args))
					  : STET_OK;
}

/* ---- what was created ---- */

static enum stet_status
taxonomy_is_empty(struct back *b, bool *out)
{
	json_t *answer;

	STET_TRY(stet_invoke_found(b->call, "taxonomy_list_terms",
	    json_pack("{ss si}", "taxonomy", b->subject.name, "limit", 1), &answer));
	*out = json_array_size(json_object_get(answer, "items")) == 0;
	return STET_OK;
}

/* Returns in *out whether no item has the byline: deleting it would take a credit away. */
static enum stet_status
byline_is_unused(struct back *b, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(b->call, &rows,
	    "SELECT 1 FROM content_byline WHERE byline_group = ?1 LIMIT 1",
	    STET_ARGS(text_of(b->now, "translationGroup"))));
	*out = !stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
remove_it(struct back *b)
{
	struct stet_call *call = b->call;
	const struct subject *s = &b->subject;
	bool may = true;

	switch (s->kind) {
	case ITEM:
		return stet_invoke_unread(call, "content_delete",
		    json_pack("{ss ss}", "collection", s->name, "id", s->id));
	case AREA:
		return stet_invoke_unread(
		    call, "widget_area_delete", json_pack("{ss}", "name", s->name));
	case TAXONOMY:
		STET_TRY(taxonomy_is_empty(b, &may));
		if (!may)
			return stet_fail(call, STET_CONFLICT, NULL, "The taxonomy has terms");
		return stet_invoke_unread(
		    call, "taxonomy_delete", json_pack("{ss}", "name", s->name));
	case BYLINE:
		STET_TRY(byline_is_unused(b, &may));
		if (!may)
			return stet_fail(call, STET_CONFLICT, NULL, "Items have the byline");
		return stet_invoke_unread(call, "byline_delete", json_pack("{ss}", "id", s->id));
	default:
		return revert(b, NULL, b->record->after);
	}
}

/* Returns true if the thing is as the change left it. */
static bool
is_untouched(const struct back *b)
{
	const struct record *r = b->record;

	return merge_same(b->call, r->subject.kind, b->now, r->after) &&
	       (r->subject.kind != ITEM || is_alone(b));
}

static enum stet_status
created(struct back *b, bool whole)
{
	if (b->now == NULL)
		return say(b, "nothing", "It is gone already");
	if (!whole && !is_untouched(b))
		return say(b, "skipped", "It was changed since it was made");
	STET_TRY(remove_it(b));
	return say(b, "undone", NULL);
}

/* ---- what was deleted ---- */

static enum stet_status
bring_back(struct back *b)
{
	struct stet_call *call = b->call;
	const struct subject *s = &b->subject;
	const json_t *before = b->record->before;
	json_t *args;

	switch (s->kind) {
	case ITEM:
		STET_TRY(stet_invoke_unread(call, "content_restore",
		    json_pack("{ss ss}", "collection", s->name, "id", s->id)));
		return schedule_again(b); /* the trash has removed it */
	case AREA:
		STET_TRY(stet_invoke_unread(call, "widget_area_create",
		    json_pack("{ss ss ss*}", "name", s->name, "label", text_of(before, "label"),
			"description", text_of(before, "description"))));
		return put_widgets(b, json_object_get(before, "widgets"));
	case TAXONOMY:
		args = without_nulls(before);
		(void)json_object_update_new(
		    args, json_pack("{ss ss*}", "name", s->name, "locale", s->locale));
		return stet_invoke_unread(call, "taxonomy_create", args);
	case BYLINE:
		args = without_nulls(before);
		(void)json_object_del(args, "translationGroup");
		return stet_invoke_unread(call, "byline_create", args);
	default:
		return revert(b, before, NULL);
	}
}

static enum stet_status
deleted(struct back *b)
{
	if (b->now != NULL)
		return say(b, "skipped", "It exists again");
	STET_TRY(bring_back(b));
	return say(b, "undone",
	    b->subject.kind == TAXONOMY ? "Its terms stay deleted"
	    : b->subject.kind == BYLINE ? "It has another id, and no items"
					: NULL);
}

/* ---- what was changed ---- */

/* The arguments of an op for the members of a state that are taken back. A new reference. */
static json_t *
taken(const struct back *b, const struct merged *m)
{
	json_t *out = json_object(), *path;
	size_t i;

	json_array_foreach(m->take, i, path)
	{
		const char *text = json_string_value(path), *dot = strchr(text, '.');
		const char *top =
		    dot != NULL ? stet_strndup(b->call, text, (size_t)(dot - text)) : text;
		json_t *value = json_object_get(m->result, top), *to;

		if (dot == NULL) {
			(void)json_object_set_new(
			    out, top, value != NULL ? json_incref(value) : json_null());
			continue;
		}
		to = json_object_get(out, top);
		if (to == NULL) {
			to = json_object();
			(void)json_object_set_new(out, top, to);
		}
		value = json_object_get(value, dot + 1);
		if (strcmp(top, "taxonomies") == 0 && !json_is_array(value))
			(void)json_object_set_new(to, dot + 1, json_array());
		else
			(void)json_object_set_new(
			    to, dot + 1, value != NULL ? json_incref(value) : json_null());
	}
	return out;
}

/* Returns true if a write published nothing. The live revision of an item that was published
 * without one is made with its first draft. */
static bool
same_publication(const json_t *before, const json_t *after)
{
	return same(before, after, "status") && (same(before, after, "liveRevisionId") ||
						    (text_of(before, "liveRevisionId") == NULL &&
							text_of(after, "draftRevisionId") != NULL));
}

static bool
same_schedule(const json_t *a, const json_t *b)
{
	return same(a, b, "scheduledAt") && same(a, b, "unpublishAt");
}

/* Returns true if the item had no draft beside what was live. */
static bool
had_no_draft(const json_t *state)
{
	const char *status = text_of(state, "status"), *live = text_of(state, "liveRevisionId"),
		   *draft = text_of(state, "draftRevisionId");

	return status != NULL && strcmp(status, "published") == 0 &&
	       (draft == NULL || (live != NULL && strcmp(draft, live) == 0));
}

/* Terms and credits have no version, and a live revision may bring its own back. */
static bool
same_links(const json_t *a, const json_t *b)
{
	return same(a, b, "taxonomies") && same(a, b, "bylines");
}

/* A publication is taken back if nobody has changed the item since: what is restored is whole
 * revisions. *again: what was live had no draft, so the values that are taken back are to be
 * published. */
static enum stet_status
publication_back(struct back *b, json_t *kept, bool *done, bool *again)
{
	const json_t *before = b->record->before, *after = b->record->after;

	if (same_publication(before, after))
		return STET_OK;
	if (!is_alone(b) || !same(b->now, after, "status") || !same_links(b->now, after)) {
		if (!same(b->now, before, "status") || !same(b->now, before, "liveRevisionId"))
			(void)json_array_append_new(kept, json_string("status"));
		return STET_OK;
	}
	*done = true;
	*again = had_no_draft(before) && same(before, after, "status");
	if (*again)
		return STET_OK;
	STET_TRY(revert(b, before, after));
	return look(b);
}

static enum stet_status
schedule_back(struct back *b, json_t *kept, bool *done)
{
	const json_t *before = b->record->before, *after = b->record->after;

	if (same_schedule(before, after) || same_schedule(b->now, before))
		return STET_OK;
	if (!same_schedule(b->now, after)) {
		(void)json_array_append_new(kept, json_string("scheduledAt"));
		return STET_OK;
	}
	*done = true;
	if (text_of(after, "scheduledAt") != NULL || text_of(after, "unpublishAt") != NULL)
		STET_TRY(stet_invoke_unread(b->call, "content_unschedule",
		    json_pack("{ss ss}", "collection", b->subject.name, "id", b->subject.id)));
	return schedule_again(b);
}

/* The values of the item. The draft that the change made is discarded if there was none before, and
 * nobody has changed the item since: an autosave replaces a draft under its id. */
static enum stet_status
values_back(struct back *b, const struct merged *m)
{
	const json_t *before = b->record->before, *after = b->record->after;

	if (json_array_size(m->take) == 0)
		return STET_OK;
	if (json_array_size(m->kept) == 0 && had_no_draft(before) && !had_no_draft(after) &&
	    !had_no_draft(b->now) && is_alone(b))
		return turn(b, "content_discard_draft", json_object());
	return turn(b, "content_update", taken(b, m));
}

static enum stet_status
item_back(struct back *b, const struct merged *m, bool *done)
{
	struct merged left = { .theirs = m->theirs };
	bool published = false, scheduled = false, again = false;

	STET_TRY(publication_back(b, m->kept, &published, &again));
	merge_back(b->call, ITEM, b->record->before, b->record->after, b->now, &left);
	STET_TRY(values_back(b, &left));
	if (again)
		STET_TRY(turn(b, "content_publish", json_object()));
	STET_TRY(schedule_back(b, m->kept, &scheduled));
	*done = published || scheduled;
	return STET_OK;
}

/* Copies the members of `from` that `m` takes back. Owned by the call. */
static json_t *
of_taken(const struct back *b, const struct merged *m, const json_t *from)
{
	json_t *out = stet_json_own(b->call, json_object()), *name;
	size_t i;

	json_array_foreach(m->take, i, name)
	{
		const char *text = json_string_value(name);

		(void)json_object_set(out, text, json_object_get(from, text));
	}
	return out;
}

static enum stet_status
write_back(struct back *b, const struct merged *m)
{
	struct stet_call *call = b->call;
	const struct subject *s = &b->subject;
	json_t *args;

	switch (s->kind) {
	case AREA:
		return put_widgets(b, json_object_get(m->result, "widgets"));
	case TAXONOMY:
		args = taken(b, m);
		(void)json_object_update_new(
		    args, json_pack("{ss ss*}", "name", s->name, "locale", s->locale));
		return stet_invoke_unread(call, "taxonomy_update", args);
	case BYLINE:
		args = taken(b, m);
		(void)json_object_set_new(args, "id", json_string(s->id));
		return stet_invoke_unread(call, "byline_update", args);
	case SETTINGS:
		return revert(
		    b, of_taken(b, m, b->record->before), of_taken(b, m, b->record->after));
	case MENU:
		return revert(b, m->result, b->now);
	default:
		return revert(b, m->result, b->record->after);
	}
}

/* The members of the thing that others have changed after a later record. */
static json_t *
theirs_of(const struct back *b)
{
	const char *key =
	    stet_printf(b->call, "%d %s", b->subject.kind, subject_text(b->call, &b->subject));

	if (json_object_get(b->trail->theirs, key) == NULL)
		(void)json_object_set_new(b->trail->theirs, key, json_object());
	return json_object_get(b->trail->theirs, key);
}

static enum stet_status
changed(struct back *b, bool whole)
{
	const struct record *r = b->record;
	struct merged m = { .theirs = whole ? NULL : theirs_of(b), .marks = !whole };
	bool done = false;

	if (b->now == NULL)
		return say(b, "skipped", "It was deleted since");
	merge_back(b->call, r->subject.kind, r->before, whole ? b->now : r->after, b->now, &m);
	if (r->subject.kind == ITEM)
		STET_TRY(item_back(b, &m, &done));
	else if (json_array_size(m.take) > 0)
		STET_TRY(write_back(b, &m));
	b->out->kept = json_array_size(m.kept) > 0 ? m.kept : NULL;
	done = done || json_array_size(m.take) > 0;
	if (b->out->kept != NULL)
		return say(b, done ? "partly" : "skipped", "It was changed since");
	return say(b, done ? "undone" : "nothing", done ? NULL : "It is as it was before");
}

enum stet_status
back_take(struct stet_call *call, const struct record *r, const struct trail *trail, bool whole,
    struct outcome *out)
{
	struct back b = { call, r, r->subject, NULL, trail, out };
	bool alone;

	*out = (struct outcome){ 0 };
	if (r->before == NULL && r->after == NULL)
		return say(&b, "skipped", "It was deleted for good");
	STET_TRY(look(&b));
	if (r->before == NULL)
		return created(&b, whole);
	STET_TRY(stands_alone(&b, &alone));
	STET_TRY(r->after == NULL ? deleted(&b) : changed(&b, whole));
	return alone ? leave(&b) : STET_OK;
}
