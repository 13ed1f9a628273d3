/*
 * feed.c - reads the feed: a page of it, a page that waits until there is one (long polling), or
 * a stream of server-sent events.
 *
 * A position in the feed is the number and the time of a row; newer rows follow it. While the
 * module is off nothing is recorded, so a position from before that time is not valid any more. A
 * cursor therefore holds the number of the latest absence, and a client that waits or streams
 * compares it after each commit.
 */
#include "changes.h"
#include <inttypes.h>
#include <stet/reviews.h>
#include <stet/taxonomies.h>
#include <string.h>

#define LISTING "changes"
#define BEAT_MS                                                                                   \
	15000 /* interval of comment lines in a silent stream, which reveal that a client is gone \
	       */
#define STREAM_PAGE 1000
#define SOON_MS 20 /* until the next page of a stream */
#define LOOKED_AT 1000 /* the most rows that a page of filtered changes reads */
#define RETRY_LINE "retry: 3000\n"

static const struct stet_member change[] = {
	{ "kind", STET_STRING, STET_REQUIRED,
	    "content, collection, or what another module calls it: menu, taxonomy, settings …" },
	{ "collection", STET_STRING, 0, "Of an item" },
	{ "id", STET_STRING, 0, "Of the item; of others what their routes call them" },
	{ "change", STET_STRING, STET_REQUIRED,
	    "What happened. Who sees only what is published hears publish, update and remove of "
	    "items; drafts are told as create, update, stage, publish, unpublish, schedule, discard, "
	    "delete, restore and purge." },
	{ "version", STET_INTEGER, 0, "Of the item, after it" },
	{ "locale", STET_STRING },
	{ "slug", STET_STRING, 0, "Of the item, after it" },
	{ "at", STET_STRING, STET_REQUIRED, "When" },
	{ 0 },
};
#define COLUMNS 8

const struct stet_member feed_in[] = {
	{ "since", STET_STRING, STET_BOUNDED,
	    "The cursor of an earlier answer: what came behind it. Without one the feed begins now.",
	    STET_RANGE(1, 2048) },
	{ "limit", STET_INTEGER, STET_BOUNDED, "At most so many changes", STET_RANGE(1, 1000),
	    .fallback = "100" },
	{ "wait", STET_INTEGER, STET_BOUNDED,
	    "When there is none, wait so many seconds for one before answering", STET_RANGE(0, 60),
	    .fallback = "0" },
	{ "collection", STET_STRING, STET_BOUNDED,
	    "Only changes of this collection: of its items, and of its definition",
	    STET_RANGE(1, 64) },
	{ "term", STET_STRING, STET_BOUNDED,
	    "Only changes of items with these terms, as in terms of a list (category:news,sport;tag:db), "
	    "also of those that get or lose them; and of these terms and their taxonomies",
	    STET_RANGE(1, 2000) },
	{ "presence", STET_STRING, STET_BOUNDED,
	    "Of a stream: COLLECTION/ID of an item; events \"presence\" then tell who has it open. "
	    "They are no changes, and have no cursor.",
	    STET_RANGE(3, 100) },
	{ 0 },
};
const struct stet_member feed_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, "Oldest first", .of = change },
	{ "cursor", STET_STRING, STET_REQUIRED, "Go on from here" },
	{ "more", STET_BOOLEAN, STET_REQUIRED, "There are more already: ask again at once" },
	{ 0 },
};

/* The state of a waiting call between its runs. */
struct place {
	bool begun, events;
	bool one; /* the caller filters the changes */
	int64_t number; /* number of the last row that was read */
	int64_t told; /* number that the client of a stream has received */
	int64_t absence; /* the number of the latest absence when the call began (stet_absence) */
	uint64_t present; /* hash of who has the item open, as the client was told; 0: not told */
	int64_t until, beat; /* when the wait ends; when the stream must send something next */
};

/* The filters of a caller. */
struct want {
	const char *collection; /* NULL: any */
	const struct stet_taxonomies_1 *taxonomies;
	struct stet_term_filter *filter; /* NULL: any */
};

/* The last numbers of the feed; calls that read the same snapshot share them. */
struct newest {
	int64_t any, shown;
	int64_t absence; /* the number of the latest absence */
};
static const char newest_key;

static enum stet_status
expired(struct stet_call *call)
{
	return stet_fail(call, stet_code(call, "CURSOR_EXPIRED"), "since",
	    "The feed does not reach back to this cursor: read everything anew, and go on from a "
	    "request without since");
}

static enum stet_status
read_newest(struct stet_call *call, struct newest *out)
{
	struct stet_absence absence;
	struct stet_rows rows;

	STET_TRY(stet_absence(call, &absence));
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT (SELECT MAX(number) FROM change_feed),"
	    " (SELECT number FROM change_feed WHERE shown IS NOT NULL"
	    " ORDER BY number DESC LIMIT 1)",
	    STET_NO_ARGS));
	*out = (struct newest){ stet_col_int(&rows, 0), stet_col_int(&rows, 1), absence.number };
	return stet_rows_end(&rows);
}

/* Reads the last number that this caller may see, and the number of the latest absence. */
static enum stet_status
newest(struct stet_call *call, bool drafts, int64_t *out, int64_t *absence)
{
	void **slot = stet_snapshot_slot(call, &newest_key);
	struct newest own, *n = slot != NULL ? *slot : NULL;

	if (n == NULL) {
		STET_TRY(read_newest(call, &own));
		n = &own;
		if (slot != NULL) {
			n = *slot = stet_snapshot_alloc(call, sizeof(*n));
			*n = own;
		}
	}
	*out = drafts ? n->any : n->shown;
	*absence = n->absence;
	return STET_OK;
}

/* ---- cursors ---- */

/* A cursor: the time of the row, then the number of the latest absence unless there was none. */
static char *
cursor_of(struct stet_call *call, const struct place *p, const char *at)
{
	json_t *key = stet_json_own(call, json_integer(p->number));

	if (p->absence > 0)
		at = stet_printf(call, "%s/%lld", at, (long long)p->absence);
	return stet_cursor_make(call, LISTING, key, at);
}

static enum stet_status
cursor_at(struct stet_call *call, const struct place *p, char **out)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, stet_code(call, "CURSOR_EXPIRED"),
	    "SELECT at FROM change_feed WHERE number = ?1", STET_ARGS(p->number)));
	*out = cursor_of(call, p, stet_col_dup(&rows, 0));
	return STET_OK;
}

/* Returns true if the cursor with this end was made after the latest absence. */
static bool
is_since(struct stet_call *call, const char *end, int64_t absence)
{
	if (absence == 0)
		return *end == '\0';
	return strcmp(end, stet_printf(call, "/%lld", (long long)absence)) == 0;
}

/* Reads the position of a cursor: its row must still exist, with the cursor's time. */
static enum stet_status
cursor_place(struct stet_call *call, const char *cursor, int64_t absence, int64_t *number)
{
	struct stet_rows rows;
	const json_t *key;
	const char *at;
	size_t len;

	STET_TRY(stet_cursor_read(call, cursor, LISTING, &key, &at));
	if (!json_is_integer(key))
		return stet_fail(
		    call, STET_INVALID_CURSOR, "since", "This is no cursor of the feed");
	*number = json_integer_value(key);
	len = strcspn(at, "/");
	if (!is_since(call, at + len, absence))
		return expired(call);
	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM change_feed WHERE number = ?1 AND at = ?2",
	    STET_ARGS(*number, stet_strndup(call, at, len))));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return expired(call);
	}
	return stet_rows_end(&rows);
}

/* ---- rows ---- */

#define BEHIND(what_, where_)                                                              \
	"SELECT kind, collection, id, " what_ ", version, locale, slug, at, number, terms" \
	" FROM change_feed WHERE number > ?1" where_ " ORDER BY number LIMIT ?2"

static enum stet_status
behind(struct stet_call *call, struct stet_rows *rows, bool drafts, int64_t number, int64_t limit)
{
	if (drafts)
		return stet_query(call, rows, BEHIND("change", ""), STET_ARGS(number, limit));
	return stet_query(
	    call, rows, BEHIND("shown", " AND shown IS NOT NULL"), STET_ARGS(number, limit));
}

/* Numbers have no gaps, so a gap means that rows in between were deleted. */
static bool
is_next(struct stet_rows *rows, bool drafts, int64_t number)
{
	return !drafts || stet_col_int(rows, COLUMNS) == number + 1;
}

static bool
is_of_collection(struct stet_rows *rows, const char *collection)
{
	bool is_definition = strcmp(stet_col_str(rows, 0), "collection") == 0;
	const char *slug = stet_col_str(rows, is_definition ? 2 : 1); /* NULL: of another kind */

	return slug != NULL && strcmp(slug, collection) == 0;
}

/* Returns true if the change matches the filter by terms: the item matches now, did before, or its
 * terms are not known. */
static bool
is_of_terms(struct stet_call *call, const struct want *want, struct stet_rows *rows)
{
	const char *kind = stet_col_str(rows, 0), *id = stet_col_str(rows, 2);
	const json_t *terms, *had;
	const char *text;
	size_t len;

	if (strcmp(kind, "content") != 0)
		return id != NULL && (strcmp(kind, "term") == 0 || strcmp(kind, "taxonomy") == 0) &&
		       want->taxonomies->filter_names(want->filter, kind, id);
	if (stet_col_null(rows, COLUMNS + 1))
		return true;
	text = stet_col_text(rows, COLUMNS + 1, &len);
	terms = stet_json_stored(call, text, len);
	had = json_array_get(terms, 1);
	return want->taxonomies->filter_passes(want->filter, json_array_get(terms, 0)) ||
	       (had != NULL && want->taxonomies->filter_passes(want->filter, had));
}

/* Returns true if the change passes the filters: an item must pass both; a collection, term or
 * taxonomy must match one of them. */
static bool
is_wanted(struct stet_call *call, const struct want *want, struct stet_rows *rows)
{
	const bool item = strcmp(stet_col_str(rows, 0), "content") == 0;
	const bool in_collection =
	    want->collection != NULL && is_of_collection(rows, want->collection);
	const bool in_terms = want->filter != NULL && is_of_terms(call, want, rows);

	if (item)
		return (want->collection == NULL || in_collection) &&
		       (want->filter == NULL || in_terms);
	return (want->collection == NULL && want->filter == NULL) || in_collection || in_terms;
}

/* ---- the caller's filters ---- */

/* Reads the filters. Looks the terms up each time: they may be created or deleted while a client
 * waits. */
static enum stet_status
read_want(struct stet_call *call, bool first, struct want *out)
{
	const char *text = stet_arg(call, "term"), *missing;

	*out = (struct want){ .collection = stet_arg(call, "collection") };
	if (text == NULL)
		return STET_OK;
	out->taxonomies = stet_service(call, STET_TAXONOMIES_1);
	if (out->taxonomies == NULL) {
		stet_issue(call, "term", "needs the module taxonomies, which is not enabled");
		return stet_issues(call);
	}
	STET_TRY(stet_require(call, "taxonomies:read"));
	STET_TRY(out->taxonomies->follow(call, "term", text, &out->filter, &missing));
	if (!first) {
		stet_error_clear(call);
		return STET_OK;
	}
	STET_TRY(stet_issues(call));
	if (missing != NULL)
		stet_issue(call, "term", "There is no term %s", missing);
	return stet_issues(call);
}

/* ---- a page ---- */

static enum stet_status
put_items(struct stet_call *call, struct place *p, const struct want *want, bool drafts,
    struct stet_json *out)
{
	int64_t limit = stet_arg_int(call, "limit"), count = 0;
	struct stet_rows rows;

	STET_TRY(behind(call, &rows, drafts, p->number, p->one ? LOOKED_AT : limit));
	while (count < limit && stet_row(&rows)) {
		if (!is_next(&rows, drafts, p->number))
			return expired(call);
		if (is_wanted(call, want, &rows)) {
			stet_put_row(out, &rows, change);
			count++;
		}
		p->number = stet_col_int(&rows, COLUMNS);
	}
	return stet_rows_end(&rows);
}

/* Moves the place to before the next change that passes the filters, or to the last row read. */
static enum stet_status
pass_over(struct stet_call *call, struct place *p, const struct want *want, bool drafts)
{
	struct stet_rows rows;
	bool found = false;

	STET_TRY(behind(call, &rows, drafts, p->number, LOOKED_AT));
	while (!found && stet_row(&rows)) {
		if (!is_next(&rows, drafts, p->number))
			return expired(call);
		found = is_wanted(call, want, &rows);
		if (!found)
			p->number = stet_col_int(&rows, COLUMNS);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
page(struct stet_call *call, struct place *p, const struct want *want, bool drafts, int64_t last)
{
	struct stet_json *out = stet_reply(call);
	char *cursor;

	stet_object(out, NULL);
	stet_array(out, "items");
	STET_TRY(put_items(call, p, want, drafts, out));
	stet_close(out);
	STET_TRY(cursor_at(call, p, &cursor));
	stet_put_str(out, "cursor", cursor);
	stet_put_bool(out, "more", p->number < last);
	stet_close(out);
	return STET_OK;
}

/* ---- a stream ---- */

static enum stet_status
say(struct stet_call *call, const char *text)
{
	return stet_write(call, text, strlen(text));
}

static enum stet_status
event(struct stet_call *call, const struct place *p, struct stet_rows *rows)
{
	struct stet_json *data = stet_json_new(call);

	stet_put_row(data, rows, change);
	return say(
	    call, stet_printf(call, "id: %s\nevent: change\ndata: %s\n\n",
		      cursor_of(call, p, stet_col_str(rows, 7)), stet_json_text(data, NULL)));
}

/* Writes a heartbeat, which fails if the client is gone. Its id without data is no event, but moves
 * the client's position past filtered rows, which are deleted some day. */
static enum stet_status
beat(struct stet_call *call, struct place *p)
{
	char *cursor;

	if (p->number == p->told)
		return say(call, ":\n\n");
	STET_TRY(cursor_at(call, p, &cursor));
	p->told = p->number;
	return say(call, stet_printf(call, "id: %s\n\n", cursor));
}

static enum stet_status
events(struct stet_call *call, struct place *p, const struct want *want, bool drafts)
{
	struct stet_rows rows;
	bool told = false;

	STET_TRY(behind(call, &rows, drafts, p->number, STREAM_PAGE));
	while (stet_row(&rows)) {
		if (!is_next(&rows, drafts, p->number))
			return expired(call);
		p->number = stet_col_int(&rows, COLUMNS);
		if (!is_wanted(call, want, &rows))
			continue;
		STET_TRY(event(call, p, &rows));
		p->told = p->number;
		told = true;
	}
	STET_TRY(stet_rows_end(&rows));
	if (!told && stet_now(call) >= p->beat)
		STET_TRY(beat(call, p));
	else if (!told)
		return STET_OK;
	p->beat = stet_now(call) + BEAT_MS;
	return STET_OK;
}

/* Writes an event if other people have the item of `presence` open than the client was told, or at
 * another place. */
static enum stet_status
tell_presence(struct stet_call *call, struct place *p)
{
	const struct stet_reviews_1 *reviews = stet_service(call, STET_REVIEWS_1);
	const char *item = stet_arg(call, "presence"), *text;
	uint64_t hash;

	if (item == NULL)
		return STET_OK;
	if (reviews == NULL) {
		stet_issue(call, "presence", "needs the module reviews, which is not enabled");
		return stet_issues(call);
	}
	STET_TRY(reviews->present(call, item, &text));
	hash = stet_hash(text);
	if (hash == p->present)
		return STET_OK;
	p->present = hash;
	return say(call, stet_printf(call, "event: presence\ndata: %s\n\n", text));
}

/* Begins the stream with its position, so that a client that reconnects continues there. */
static enum stet_status
greet(struct stet_call *call, struct place *p)
{
	char *cursor;

	STET_TRY(cursor_at(call, p, &cursor));
	STET_TRY(say(call, stet_printf(call, RETRY_LINE "id: %s\n\n", cursor)));
	p->told = p->number;
	p->beat = stet_now(call) + BEAT_MS;
	return STET_OK;
}

static enum stet_status
stream(struct stet_call *call, struct place *p, const struct want *want, bool drafts, bool first,
    int64_t last)
{
	stet_reply_type(call, "text/event-stream");
	if (first)
		STET_TRY(greet(call, p));
	STET_TRY(events(call, p, want, drafts));
	STET_TRY(tell_presence(call, p));
	/* If there is more than a page, run again as soon as the client has read this one. If the
	 * call cannot be parked the stream ends; the client reconnects with its last id. If the
	 * time of the heartbeat passed during this run, the second wait applies. */
	if (p->number >= last && stet_wait(call, p->beat))
		return STET_OK;
	if (stet_wait(call, stet_now(call) + SOON_MS))
		return STET_OK;
	return STET_OK;
}

/* ---- the op ---- */

static bool
wants_events(struct stet_call *call)
{
	const char *accept = stet_request_header(call, "accept");

	return accept != NULL && strstr(accept, "text/event-stream") != NULL;
}

static enum stet_status
begin(struct stet_call *call, struct place *p, bool drafts)
{
	const char *since = stet_arg(call, "since");
	int64_t last;

	STET_TRY(newest(call, drafts, &last, &p->absence));
	p->events = wants_events(call);
	p->one = stet_arg(call, "collection") != NULL || stet_arg(call, "term") != NULL;
	if (p->events && stet_request_header(call, "last-event-id") != NULL)
		since = stet_request_header(call, "last-event-id");
	if (since != NULL)
		STET_TRY(cursor_place(call, since, p->absence, &p->number));
	else
		p->number = last;
	p->until = stet_now(call) + stet_arg_int(call, "wait") * 1000;
	p->begun = true;
	return STET_OK;
}

enum stet_status
feed_read(struct stet_call *call)
{
	struct place *p = stet_wait_memory(call, sizeof(*p));
	bool drafts = stet_may(call, "content:read_drafts"), first = !p->begun;
	struct want want = { 0 };
	int64_t last, absence;

	if (first)
		STET_TRY(begin(call, p, drafts));
	STET_TRY(newest(call, drafts, &last, &absence));
	if (absence != p->absence)
		return expired(call);
	if (first || last > p->number)
		STET_TRY(read_want(call, first, &want));
	if (p->events)
		return stream(call, p, &want, drafts, first, last);
	if (p->one)
		STET_TRY(pass_over(call, p, &want, drafts));
	if (last <= p->number && stet_wait(call, p->until))
		return STET_OK;
	return page(call, p, &want, drafts, last);
}
