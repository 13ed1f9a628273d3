/*
 * take.c - records what a write changes: its subject is read before the op and after it, in the
 * op's own savepoint, so a write that is rolled back leaves no record.
 *
 * Items have revisions. Their writes are recorded if a token makes them, for the undoing of its
 * session, or if they change terms or credits, which are in no revision of an item that is a draft.
 */
#include "history.h"
#include <string.h>

/* A write that is about to happen. Ops run inside ops: the newest is first. */
struct pending {
	const char *op;
	struct subject subject;
	const json_t *before;
	struct pending *outer;
};

static struct pending **
pendings(struct stet_call *call)
{
	static const char key;

	return (struct pending **)stet_call_slot(call, &key);
}

_Thread_local bool take_undoing;

struct reading {
	const struct tracked *tracked;
	struct subject subject;
	const json_t *state;
};

static enum stet_status
before(struct stet_call *call, void *arg)
{
	struct reading *r = arg;

	STET_TRY(tracked_subject(call, r->tracked, &r->subject));
	return r->subject.kind < KINDS ? state_read(call, &r->subject, &r->state) : STET_OK;
}

static enum stet_status
after(struct stet_call *call, void *arg)
{
	struct reading *r = arg;

	return state_read(call, &r->subject, &r->state);
}

/* Reads a state as the system: whoever may write a thing need not be allowed to read all of it.
 * What cannot be read is not recorded: the write itself goes on, and says what is wrong. */
static enum stet_status
read_all(
    struct stet_call *call, enum stet_status (*read)(struct stet_call *, void *), struct reading *r)
{
	enum stet_status status = stet_as_system(call, read, r);

	if (status == STET_OK || stet_status_http(status) >= 500)
		return status;
	stet_error_clear(call);
	r->subject.kind = KINDS;
	return STET_OK;
}

/* Returns true if the op takes this argument, and the caller gives it. */
static bool
gives(struct stet_call *call, const char *name)
{
	const struct stet_op *op = stet_written_op(call);

	for (const struct stet_member *m = op->in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, name) == 0)
			return stet_has(call, name);
	return false;
}

/* Returns the row of the op if this call of it is recorded. */
static const struct tracked *
wanted(struct stet_call *call, const struct stet_written *w)
{
	const struct stet_principal *p = stet_principal(call);
	const struct tracked *t;

	if (p == NULL || (p->via == STET_VIA_SYSTEM && *p->id == '\0') ||
	    (t = tracked_find(w->name)) == NULL)
		return NULL;
	if (t->kind != ITEM || (p->via == STET_VIA_TOKEN && p->token_id != NULL))
		return t;
	return strcmp(t->op, "content_set_terms") == 0 || gives(call, "taxonomies") ||
		       gives(call, "bylines")
		   ? t
		   : NULL;
}

enum stet_status
take_before(struct stet_call *call, struct stet_tx *tx, const struct stet_written *w)
{
	struct reading r = { .tracked = wanted(call, w) };
	struct pending *p;

	(void)tx;
	if (r.tracked == NULL)
		return STET_OK;
	STET_TRY(read_all(call, before, &r));
	p = stet_alloc(call, sizeof(*p));
	*p = (struct pending){ r.tracked->op, r.subject, r.state, *pendings(call) };
	*pendings(call) = p;
	return STET_OK;
}

/* Takes the newest pending write of this op, and forgets those in it that have failed. */
static struct pending *
pop(struct stet_call *call, const char *op)
{
	struct pending *p = *pendings(call);

	while (p != NULL && strcmp(p->op, op) != 0)
		p = p->outer;
	if (p != NULL)
		*pendings(call) = p->outer;
	return p;
}

/* ---- storing ---- */

/* The names of the members that two states share, from what a record of an item need not hold. */
static const json_t *
slimmed(struct stet_call *call, const json_t *state, const json_t *other)
{
	json_t *out, *data, *value;
	const char *name;
	void *next;

	if (state == NULL || other == NULL)
		return state;
	out = stet_json_own(call, json_copy((json_t *)(uintptr_t)state));
	data = json_copy(json_object_get(state, "data"));
	if (data == NULL)
		return out;
	json_object_foreach_safe(data, next, name, value)
	{
		const json_t *same = json_object_get(json_object_get(other, "data"), name);

		if (same != NULL && json_equal(same, value))
			(void)json_object_del(data, name);
	}
	(void)json_object_set_new(out, "data", data);
	return out;
}

static const char *
json_of(struct stet_call *call, const json_t *value)
{
	struct stet_json *out = stet_json_new(call);

	if (value == NULL)
		return NULL;
	stet_put_json(out, NULL, value);
	return stet_json_text(out, NULL);
}

static bool
publication_same(const json_t *a, const json_t *b)
{
	static const char *const names[] = { "status", "publishedAt", "scheduledAt", "unpublishAt",
		"liveRevisionId", "draftRevisionId", NULL };

	for (const char *const *n = names; *n != NULL; n++)
		if (!json_equal(json_object_get(a, *n), json_object_get(b, *n)))
			return false;
	return true;
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct reading *r, const json_t *was)
{
	const struct stet_principal *p = stet_principal(call);
	const struct subject *s = &r->subject;
	const bool item = s->kind == ITEM;
	const json_t *a = item ? slimmed(call, was, r->state) : was,
		     *b = item ? slimmed(call, r->state, was) : r->state;
	struct stet_val value[14];
	const char *session;

	STET_TRY(history_service.session(call, &session));
	value[0] = stet_val_str(stet_id(call));
	value[1] = stet_val_str(kind_names[s->kind]);
	value[2] = stet_val_str(subject_text(call, s));
	value[3] = stet_val_str(s->locale);
	value[4] = stet_val_str(r->tracked->op);
	value[5] = stet_val_str(stet_time_text(call, stet_now(call)));
	value[6] = stet_val_str(*p->id != '\0' ? p->id : NULL);
	value[7] = stet_val_str(*p->id != '\0' ? p->name : NULL);
	value[8] = stet_val_str(p->token_id);
	value[9] = stet_val_str(p->via == STET_VIA_TOKEN ? p->client : NULL);
	value[10] = stet_val_str(stet_tool_name(call));
	value[11] = stet_val_str(take_undoing ? NULL : session);
	value[12] = stet_val_str(json_of(call, a));
	value[13] = stet_val_str(json_of(call, b));
	return stet_exec(call, tx,
	    "INSERT INTO history (" RECORD_COLUMNS ") VALUES"
	    " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL, ?13, ?14)",
	    value, sizeof(value) / sizeof(*value));
}

/* Deletes the oldest records of a thing beyond the number that is kept. Those of items, which have
 * revisions, are bounded by their age alone. */
static enum stet_status
bound(struct stet_call *call, struct stet_tx *tx, const struct subject *s)
{
	const int64_t kept = json_integer_value(stet_setting(call, KEPT));

	if (s->kind == ITEM)
		return STET_OK;
	return stet_exec(call, tx,
	    "DELETE FROM history WHERE kind = ?1 AND subject = ?2 AND id < (SELECT min(id) FROM"
	    " (SELECT id FROM history WHERE kind = ?1 AND subject = ?2 ORDER BY id DESC LIMIT ?3)"
	    " AS newest)",
	    STET_ARGS(kind_names[s->kind], subject_text(call, s), kept));
}

enum stet_status
take_after(struct stet_call *call, struct stet_tx *tx, const struct stet_written *w)
{
	struct reading r = { 0 };
	const json_t *was;
	struct pending *p;

	if (*pendings(call) == NULL) /* most writes are of people, and are not recorded */
		return STET_OK;
	r.tracked = wanted(call, w);
	if (r.tracked == NULL || (p = pop(call, r.tracked->op)) == NULL)
		return STET_OK;
	r.subject = p->subject;
	was = p->before;
	tracked_after(call, r.tracked, w->reply, w->reply_len, &r.subject);
	if (r.subject.kind >= KINDS)
		return STET_OK;
	STET_TRY(read_all(call, after, &r));
	if (r.subject.kind >= KINDS)
		return STET_OK;
	if ((was == NULL && r.state == NULL && r.subject.kind != ITEM) ||
	    (was != NULL && r.state != NULL && merge_same(call, r.subject.kind, was, r.state) &&
		(r.subject.kind != ITEM || publication_same(was, r.state))))
		return STET_OK;
	STET_TRY(store(call, tx, &r, was));
	return bound(call, tx, &r.subject);
}
