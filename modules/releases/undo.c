/*
 * undo.c - undoes a published release as a whole. If anything of it was changed since, all of it
 * stays, and the answer names what was changed. Afterwards the release is open again.
 */
#include "releases.h"

static enum stet_status
compare(struct stet_call *call, const struct changes *all, struct problems *problems,
    const json_t **state)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct change *c = &all->change[i];

		const char *title;

		STET_TRY(kinds[c->kind]->state(call, c, &state[i]));
		title = kind_title(call, c, state[i]);
		if (kind_lost(c, state[i], true))
			problems_add(problems, c, NULL, "NOT_FOUND", "It is gone");
		else if (!json_equal(kind_mark(call, c, state[i]), c->after))
			problems_add(problems, c, title, "CONFLICT",
			    stet_printf(call, "%s was changed since the release was published",
				title != NULL ? title : "A setting"));
	}
	return STET_OK;
}

/* Takes the changes back, the last one first. */
static enum stet_status
revert(struct stet_call *call, const struct changes *all, struct problems *problems,
    const json_t *const *state)
{
	json_t *groups = stet_json_own(call, json_object());

	for (size_t i = all->count; i-- > 0;) {
		struct change *c = &all->change[i];

		c->groups = groups;
		if (json_equal(c->base, c->after)) /* it changed nothing */
			continue;
		STET_TRY(problems_take(call, problems, c, kind_title(call, c, state[i]),
		    kinds[c->kind]->revert(call, c)));
	}
	return STET_OK;
}

/* The release is as it was before: with the present marks it can be published again. */
static enum stet_status
reopen(struct stet_call *call, const struct release *r, const struct changes *all)
{
	const char *now = stet_time_text(call, stet_now(call));
	const json_t *state;

	for (size_t i = 0; i < all->count; i++) {
		const struct change *c = &all->change[i];

		STET_TRY(kinds[c->kind]->state(call, c, &state));
		STET_TRY(change_mark(
		    call, stet_write_tx(call), c, kind_mark(call, c, state), NULL, NULL));
	}
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE release SET status = 'open', undone_at = ?2, updated_at = ?2,"
	    " published_at = NULL, published_by = NULL WHERE id = ?1",
	    STET_ARGS(r->id, now)));
	return stet_notify(call, stet_write_tx(call), STET_AT_release_told,
	    stet_json_own(call, json_pack("{ss ss ss ss sI}", "event", "undo", "id", r->id, "name",
				    r->name, "undoneAt", now, "changes", (json_int_t)all->count)));
}

enum stet_status
release_undo(struct stet_call *call)
{
	struct problems problems;
	struct changes all;
	struct release r;
	const json_t **state;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	STET_TRY(release_mine(call, &r));
	if (!release_is(&r, "published"))
		return stet_fail(
		    call, STET_CONFLICT, NULL, "The release is not published: %s", r.name);
	STET_TRY(changes_read(call, &r, &all));
	state = stet_alloc(call, (all.count + 1) * sizeof(json_t *));
	problems_begin(call, &problems);
	STET_TRY(compare(call, &all, &problems, state));
	STET_TRY(problems_end(call, &problems, "It cannot be undone"));
	STET_TRY(revert(call, &all, &problems, state));
	STET_TRY(problems_end(call, &problems, "It cannot be undone"));
	STET_TRY(reopen(call, &r, &all));
	return release_reply(call, r.id);
}
