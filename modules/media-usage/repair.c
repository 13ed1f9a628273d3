/*
 * repair.c - scans collections on request, and waits for the end. If the daemon stops before that,
 * the job continues the scan.
 */
#include "media-usage.h"
#include <stdio.h>
#include <string.h>

#define COUNTS                                                     \
	{ "indexedSourceCount", STET_INTEGER, STET_REQUIRED },     \
	    { "failedSourceCount", STET_INTEGER, STET_REQUIRED },  \
	    { "skippedSourceCount", STET_INTEGER, STET_REQUIRED }, \
	{                                                          \
		"deletedSourceCount", STET_INTEGER, STET_REQUIRED  \
	}
#define STATUS                                                             \
	{                                                                  \
		"status", STET_STRING, STET_REQUIRED,                      \
		    STET_CHOICES("complete", "partial", "failed", "stale") \
	}

static const struct stet_member repaired[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	STATUS,
	COUNTS,
	{ "lastErrorCode", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "startedAt", STET_TIME, STET_REQUIRED },
	{ "completedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};
const struct stet_member repair_in[] = {
	{ "scope", STET_STRING, STET_REQUIRED, STET_CHOICES("collection", "all") },
	{ "collection", STET_STRING, .about = "Slug; with scope collection only", STET_RANGE(1, 63),
	    .pattern = "^[a-z][a-z0-9_]*(?![\\s\\S])" },
	{ 0 },
};
const struct stet_member repair_out[] = {
	STATUS,
	COUNTS,
	{ "collections", STET_ARRAY, STET_REQUIRED, .of = repaired },
	{ 0 },
};

/* The repair of one collection. Outlives the scopes in which it is done. */
struct repair {
	const char *slug, *id; /* id NULL: found by its slug */
	char collection[64], run[64], error[64], started[40], completed[40];
	bool table; /* a table of holders.c, no collection */
	const char *status; /* NULL: it is not done */
	bool gone; /* there is no such collection any more */
	int64_t indexed, failed, deleted;
};

static void
keep(char *to, size_t size, const char *text)
{
	(void)snprintf(to, size, "%s", text != NULL ? text : "");
}

static enum stet_status
begin(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct repair *r = arg;
	const struct stet_collection *c;
	const char *run;

	keep(r->started, sizeof(r->started), stet_time_text(call, stet_now(call)));
	STET_TRY(scan_missed(call, tx));
	STET_TRY(
	    r->table ? collection_by_id(call, r->id, &c) : collection_by_slug(call, r->slug, &c));
	r->gone = c == NULL || (r->id != NULL && strcmp(r->id, c->id) != 0);
	if (r->gone)
		return STET_OK;
	STET_TRY(scan_begin(call, tx, c, NULL, &run));
	keep(r->run, sizeof(r->run), run);
	keep(r->collection, sizeof(r->collection), c->id);
	return STET_OK;
}

/* Sets the result, after the scan has ended or another one has replaced it. */
static void
conclude(struct repair *r, const struct coverage *at)
{
	bool mine = at->ended != NULL && strcmp(at->ended, r->run) == 0;

	r->status = !mine                           ? "stale"
		    : at->failed == 0               ? "complete"
		    : at->indexed + at->deleted > 0 ? "partial"
						    : "failed";
	r->indexed = at->indexed;
	r->failed = at->failed;
	r->deleted = at->deleted;
	keep(r->error, sizeof(r->error),
	    mine || at->error != NULL ? at->error : "CONTENT_USAGE_REPAIR_CONFLICT");
	keep(r->completed, sizeof(r->completed), mine ? at->completed : NULL);
}

static enum stet_status
go_on(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct repair *r = arg;
	const struct stet_collection *c;
	struct coverage at;

	STET_TRY(collection_by_id(call, r->collection, &c));
	r->gone = c == NULL;
	if (r->gone)
		return STET_OK;
	STET_TRY(coverage_read(call, c->id, &at));
	if (at.run != NULL && strcmp(at.run, r->run) == 0)
		return scan_step(call, tx, c, NULL);
	conclude(r, &at);
	return STET_OK;
}

static enum stet_status
one_step(struct stet_call *call, void *arg)
{
	struct repair *r = arg;

	return stet_write_lane(call, r->run[0] != '\0' ? go_on : begin, r);
}

static void
fail(struct stet_call *call, struct repair *r, const char *error)
{
	r->status = "failed";
	keep(r->error, sizeof(r->error), error);
	if (r->started[0] == '\0')
		keep(r->started, sizeof(r->started), stet_time_text(call, stet_now(call)));
	keep(r->completed, sizeof(r->completed), stet_time_text(call, stet_now(call)));
}

static void
repair_one(struct stet_call *call, struct repair *r)
{
	while (r->status == NULL && !r->gone)
		if (stet_scope(call, one_step, r) != STET_OK) {
			stet_error_clear(call);
			fail(call, r, "CONTENT_USAGE_REPAIR_ERROR");
		}
	if (r->gone)
		fail(call, r, "COLLECTION_NOT_FOUND");
	else if (strcmp(r->status, "failed") != 0 &&
		 counts_repair(call, r->collection) != STET_OK) {
		stet_error_clear(call);
		fail(call, r, "CONTENT_USAGE_REPAIR_ERROR");
	}
}

/* ---- the answer ---- */

static void
put_counts(struct stet_json *out, const struct repair *r)
{
	stet_put_str(out, "status", r->status);
	stet_put_int(out, "indexedSourceCount", r->indexed);
	stet_put_int(out, "failedSourceCount", r->failed);
	stet_put_int(out, "skippedSourceCount", 0);
	stet_put_int(out, "deletedSourceCount", r->deleted);
}

static void
put_one(struct stet_json *out, const struct repair *r)
{
	stet_object(out, NULL);
	stet_put_str(out, "collection", r->slug);
	put_counts(out, r);
	stet_put_str(out, "lastErrorCode", r->error[0] != '\0' ? r->error : NULL);
	stet_put_str(out, "startedAt", r->started);
	stet_put_str(out, "completedAt", r->completed[0] != '\0' ? r->completed : NULL);
	stet_close(out);
}

/* Sums the results up: complete if all are, stale if any is, failed if all are, else partial. The
 * numbers are those of collections, without tables. */
static void
sum(const struct repair *list, size_t count, struct repair *total)
{
	size_t complete = 0, failed = 0, stale = 0, all = 0;

	for (size_t i = 0; i < count; i++) {
		if (list[i].gone && list[i].id != NULL)
			continue;
		all++;
		if (!list[i].table) {
			total->indexed += list[i].indexed;
			total->failed += list[i].failed;
			total->deleted += list[i].deleted;
		}
		complete += strcmp(list[i].status, "complete") == 0;
		failed += strcmp(list[i].status, "failed") == 0;
		stale += strcmp(list[i].status, "stale") == 0;
	}
	total->status = complete == all ? "complete"
			: stale > 0     ? "stale"
			: failed == all ? "failed"
					: "partial";
}

static enum stet_status
answer(struct stet_call *call, const struct repair *list, size_t count)
{
	struct stet_json *out = stet_reply(call);
	struct repair total = { 0 };

	sum(list, count, &total);
	stet_object(out, NULL);
	put_counts(out, &total);
	stet_array(out, "collections");
	for (size_t i = 0; i < count; i++)
		if (!list[i].table && (!list[i].gone || list[i].id == NULL))
			put_one(out, &list[i]);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
usage_repair(struct stet_call *call)
{
	bool all = strcmp(stet_arg(call, "scope"), "all") == 0;
	const char *slug = stet_arg(call, "collection");
	struct repair *list;
	struct covered_all known = { .count = 1 };

	if (all && stet_has(call, "collection"))
		stet_issue(call, "collection", "Collection must be omitted when scope is all");
	if (!all && slug == NULL)
		stet_issue(call, "collection", "Collection is required when scope is collection");
	STET_TRY(stet_issues(call));
	if (all)
		STET_TRY(coverage_all(call, &known));
	list = stet_alloc(call, (known.count + 1) * sizeof(*list));
	for (size_t i = 0; i < known.count; i++) {
		list[i].slug = all ? known.list[i].collection->slug : slug;
		list[i].id = all ? known.list[i].collection->id : NULL;
		list[i].table = all && i >= known.collections;
		repair_one(call, &list[i]);
	}
	return answer(call, list, known.count);
}
