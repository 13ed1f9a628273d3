/*
 * publish.c - publishes a release: all of its changes in the transaction of one call, or none. Each
 * change is an op of its own (stet_invoke_alone), with the rights, hooks, records and events that
 * it has alone. What stands against any of them is collected, and answered as a whole.
 */
#include "releases.h"
#include <stdint.h>
#include <string.h>

/* clang-format off */
#define ID { "id", STET_STRING, STET_REQUIRED, .about = "Id of the release" }
#define ALLOWS \
	{ "allowMissing", STET_BOOLEAN, \
	    .about = "Items may refer to what is not public", .fallback = "false" }
/* clang-format on */
const struct stet_member release_publish_in[] = {
	ID,
	{ "scheduledAt", STET_TIME, STET_NULLABLE, .about = "When; null: not any more" },
	ALLOWS,
	{ 0 },
};
const struct stet_member release_schedule_in[] = {
	ID,
	{ "scheduledAt", STET_TIME, STET_REQUIRED, .about = "A time in the future" },
	ALLOWS,
	{ 0 },
};

/* ---- a publication ---- */

struct publication {
	const struct release *release;
	struct changes changes;
	const json_t **state; /* of each change, before it is made */
	struct problems problems;
	bool allows;
	bool shown; /* somebody looks: what others changed since is shown as it is */
};

static bool
stands(const struct publication *p, const struct change *c, const char *code)
{
	size_t i;
	json_t *problem;

	json_array_foreach(p->problems.list, i, problem)
	{
		if (strcmp(text_of(problem, "change"), c->id) == 0 &&
		    strcmp(text_of(problem, "code"), code) == 0)
			return true;
	}
	return false;
}

/* Compares each subject with what it was when its change was added, before any is changed: a change
 * may also change subjects of later ones (values that translations share). */
static enum stet_status
compare(struct stet_call *call, struct publication *p)
{
	for (size_t i = 0; i < p->changes.count; i++) {
		const struct change *c = &p->changes.change[i];
		const char *title;
		enum stet_status status = kinds[c->kind]->state(call, c, &p->state[i]);

		if (status != STET_OK) {
			STET_TRY(problems_take(call, &p->problems, c, NULL, status));
			continue;
		}
		title = kind_title(call, c, p->state[i]);
		if (kind_lost(c, p->state[i], false))
			problems_add(&p->problems, c, title, "NOT_FOUND", "It is gone");
		else if (!json_equal(kind_mark(call, c, p->state[i]), c->base))
			problems_add(&p->problems, c, title, "CONFLICT",
			    stet_printf(call,
				"%s was changed since it was added: look at it, and add it again",
				title != NULL ? title : "A setting"));
	}
	return STET_OK;
}

static enum stet_status
apply(struct stet_call *call, struct publication *p)
{
	for (size_t i = 0; i < p->changes.count; i++) {
		const struct change *c = &p->changes.change[i];
		const json_t *state = p->state[i];

		if (kind_lost(c, state, false))
			continue;
		if (strcmp(kind_does(c, state), "nothing") == 0)
			continue;
		if (p->shown && stands(p, c, "CONFLICT"))
			continue;
		STET_TRY(problems_take(call, &p->problems, c, kind_title(call, c, state),
		    kinds[c->kind]->apply(call, c, (json_t *)(uintptr_t)state)));
	}
	return p->allows ? STET_OK : missing_find(call, &p->changes, &p->problems);
}

/* Stores what undoing needs. */
static enum stet_status
note(struct stet_call *call, const struct publication *p)
{
	for (size_t i = 0; i < p->changes.count; i++) {
		const struct change *c = &p->changes.change[i];
		const json_t *before = p->state[i], *after;

		STET_TRY(kinds[c->kind]->state(call, c, &after));
		if (before == NULL)
			before = stet_json_own(call, json_null());
		STET_TRY(change_mark(
		    call, stet_write_tx(call), c, c->base, before, kind_mark(call, c, after)));
	}
	return STET_OK;
}

static enum stet_status
tell(struct stet_call *call, const struct publication *p, const char *now, bool due)
{
	json_t *payload = json_pack("{ss ss ss ss sb sI}", "event", "publish", "id", p->release->id,
	    "name", p->release->name, "publishedAt", now, "scheduled", due, "changes",
	    (json_int_t)p->changes.count);

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE release SET status = 'published', published_at = ?2, published_by = ?3,"
	    " updated_at = ?2, scheduled_at = NULL, scheduled_by = NULL, error = NULL,"
	    " undone_at = NULL WHERE id = ?1",
	    STET_ARGS(p->release->id, now, caller(call))));
	return stet_notify(
	    call, stet_write_tx(call), STET_AT_release_told, stet_json_own(call, payload));
}

/* Set while a publication is only tried: it then ends with an error, which undoes it. */
struct trial {
	trial_look *look; /* NULL: nobody looks */
	void *arg;
};
static _Thread_local const struct trial *trying;

/* Shows the changes, but those that the maker of a preview could not make: their titles may be of
 * what that user does not see. */
static enum stet_status
show(struct stet_call *call, const struct publication *p, const struct trial *trial)
{
	struct changes seen = { stet_alloc(call, p->changes.count * sizeof(struct change)), 0 };
	const json_t **state = stet_alloc(call, p->changes.count * sizeof(json_t *));

	for (size_t i = 0; i < p->changes.count; i++) {
		const struct change *c = &p->changes.change[i];

		if (stands(p, c, "FORBIDDEN") || stands(p, c, "INSUFFICIENT_SCOPE"))
			continue;
		state[seen.count] = p->state[i];
		seen.change[seen.count++] = *c;
	}
	return trial->look(call, &seen, state, trial->arg);
}

static enum stet_status
run(struct stet_call *call, const struct release *r, bool allows, bool due)
{
	static const char refusal[] = "It cannot be published";
	struct publication p = { .release = r, .allows = allows };
	const struct trial *tried = trying;

	trying = NULL; /* not that of a release inside */
	if (release_is(r, "published"))
		return stet_fail(
		    call, STET_CONFLICT, NULL, "The release is published already: %s", r->name);
	STET_TRY(changes_read(call, r, &p.changes));
	if (p.changes.count == 0)
		return stet_fail(call, STET_CONFLICT, NULL, "The release is empty: %s", r->name);
	p.state = stet_alloc(call, p.changes.count * sizeof(json_t *));
	p.shown = tried != NULL && tried->look != NULL;
	problems_begin(call, &p.problems);
	STET_TRY(compare(call, &p));
	if (due) /* nobody waits for all problems: what takes long, in the write lane, is left out
		  */
		STET_TRY(problems_end(call, &p.problems, refusal));
	STET_TRY(apply(call, &p));
	if (p.shown)
		STET_TRY(show(call, &p, tried));
	STET_TRY(problems_end(call, &p.problems, refusal));
	if (tried != NULL)
		return stet_fail(call, stet_code(call, "RELEASE_TRIED"), NULL,
		    "It was only tried: nothing is published");
	STET_TRY(note(call, &p));
	return tell(call, &p, stet_time_text(call, stet_now(call)), due);
}

enum stet_status
publish_run(struct stet_call *call, const struct release *r, bool due)
{
	return run(call, r, r->allows, due);
}

/* ---- a trial ---- */

/* Returns the member `problems` of the details of the recorded error, and forgets the error. */
static const json_t *
problems_of(struct stet_call *call)
{
	return json_object_get(json_object_get(problems_error(call), "details"), "problems");
}

enum stet_status
publish_try(struct stet_call *call, const struct release *r, bool allows, trial_look *look,
    void *arg, const json_t **problems)
{
	const struct trial trial = { look, arg };
	enum stet_status status;

	trying = &trial;
	status = stet_invoke_unread(
	    call, "release_publish", json_pack("{ss sb}", "id", r->id, "allowMissing", allows));
	trying = NULL;
	if (status == STET_OK)
		return stet_fault(call, "a trial of the release %s was written", r->id);
	if (status != stet_code(call, "RELEASE_TRIED") &&
	    status != stet_code(call, "RELEASE_BLOCKED"))
		return status;
	*problems = problems_of(call);
	if (*problems == NULL)
		*problems = stet_json_own(call, json_array());
	return STET_OK;
}

enum stet_status
release_check(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const json_t *problems;
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	STET_TRY(publish_try(call, &r, stet_arg_bool(call, "allowMissing"), NULL, NULL, &problems));
	stet_object(out, NULL);
	stet_put_json(out, "problems", problems);
	stet_close(out);
	return STET_OK;
}

/* ---- schedules ---- */

/* A schedule runs with the rights of a user, which are checked again. A command has all rights. */
static enum stet_status
check_scheduler(struct stet_call *call)
{
	struct stet_rows rows;
	bool known;

	if (caller(call) == NULL)
		return STET_OK;
	STET_TRY(
	    stet_query(call, &rows, "SELECT 1 FROM users WHERE id = ?1", STET_ARGS(caller(call))));
	known = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return known
		   ? STET_OK
		   : stet_fail(call, STET_VALIDATION_ERROR, "scheduledAt",
			 "needs a user who schedules: the release is published with their rights");
}

static enum stet_status
set_schedule(struct stet_call *call, const struct release *r, const char *at, bool allows)
{
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE release SET status = ?2, scheduled_at = ?3, scheduled_by = ?4,"
	    " allow_missing = ?5, error = NULL, tries = 0, updated_at = ?6 WHERE id = ?1",
	    STET_ARGS(r->id, at != NULL ? "scheduled" : "open", at,
		at != NULL ? caller(call) : NULL, allows, stet_time_text(call, stet_now(call)))));
	stet_job_wake(call, RELEASE_JOB);
	return release_reply(call, r->id);
}

static enum stet_status
schedule(struct stet_call *call, const struct release *r, const char *at)
{
	const bool allows = stet_arg_bool(call, "allowMissing");
	const json_t *found;
	int64_t ms;

	if (!stet_time_parse(at, &ms) || ms <= stet_now(call))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "scheduledAt", "must be a time in the future");
	if (release_is(r, "scheduled")) /* the schedule of somebody else */
		STET_TRY(release_mine(call, r));
	STET_TRY(check_scheduler(call));
	STET_TRY(publish_try(call, r, allows, NULL, NULL, &found));
	STET_TRY(problems_end(
	    call, &(struct problems){ (json_t *)(uintptr_t)found }, "It cannot be scheduled"));
	return set_schedule(call, r, stet_time_text(call, ms), allows);
}

enum stet_status
release_schedule(struct stet_call *call)
{
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	return schedule(call, &r, stet_arg(call, "scheduledAt"));
}

static enum stet_status
unschedule(struct stet_call *call, const struct release *r)
{
	if (!release_is(r, "scheduled"))
		return release_reply(call, r->id);
	STET_TRY(release_mine(call, r));
	return set_schedule(call, r, NULL, false);
}

enum stet_status
release_unschedule(struct stet_call *call)
{
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	return unschedule(call, &r);
}

enum stet_status
release_publish(struct stet_call *call)
{
	const char *at = stet_arg(call, "scheduledAt");
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	if (at != NULL)
		return schedule(call, &r, at);
	if (stet_has(call, "scheduledAt"))
		return unschedule(call, &r);
	STET_TRY(run(call, &r, stet_arg_bool(call, "allowMissing"), false));
	return release_reply(call, r.id);
}
