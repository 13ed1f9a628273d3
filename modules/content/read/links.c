/*
 * links.c - shared preview links: they are stored with their end, so that those who may see drafts
 * see which links are open, and withdraw them. The token is not stored: it is answered once. What a
 * link shows is its subject: an item ("posts:ID"), or what another module shows, which begins with
 * a @ ("@release:ID"), so that it is no collection.
 */
#include "read/read.h"
#include <string.h>

#define LINKS_MAX 100 /* open at a time, of one subject */

const struct stet_member link_made_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "url", STET_STRING, STET_REQUIRED, .about = "It is not answered again" },
	{ "token", STET_STRING, STET_REQUIRED, .about = "The _preview of GET /content/…/…" },
	{ "expiresAt", STET_INTEGER, STET_REQUIRED, .about = "Seconds since 1970" },
	{ 0 },
};
const struct stet_member links_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	{ 0 },
};
const struct stet_member link_withdraw_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "link", STET_STRING, STET_REQUIRED, .about = "Id of the link" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	{ 0 },
};
static const struct stet_member link_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "createdBy", STET_STRING, STET_REQUIRED | STET_NULLABLE, .about = "Id of a user" },
	{ "expiresAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member links_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = link_shape,
	    .about = "Those that are open, the newest first" },
	{ 0 },
};
const struct stet_member link_withdrawn_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* ---- links of any subject: what the service offers ---- */

static enum stet_status
drop_ended(struct stet_call *call, struct stet_tx *tx)
{
	return stet_exec(call, tx, "DELETE FROM preview_link WHERE expires_at <= ?1",
	    STET_ARGS(stet_time_text(call, stet_now(call))));
}

static enum stet_status
check_room(struct stet_call *call, const char *subject)
{
	struct stet_rows rows;
	int64_t n;

	STET_TRY(drop_ended(call, stet_write_tx(call)));
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM preview_link WHERE subject = ?1", STET_ARGS(subject)));
	n = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return n < LINKS_MAX
		   ? STET_OK
		   : stet_fail(call, STET_CONFLICT, NULL,
			 "There are %d open preview links: withdraw some of them", LINKS_MAX);
}

static enum stet_status
store(struct stet_call *call, struct preview *p)
{
	const struct stet_principal *who = stet_principal(call);
	const char *now = stet_time_text(call, stet_now(call));

	STET_TRY(check_room(call, p->subject));
	p->link = stet_id(call);
	return stet_exec(call, stet_write_tx(call),
	    "INSERT INTO preview_link (id, subject, created_at, created_by, expires_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(p->link, p->subject, now, who != NULL && *who->id != '\0' ? who->id : NULL,
		stet_time_text(call, p->end * 1000)));
}

static enum stet_status
make(struct stet_call *call, struct preview *p, const char *path)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(store(call, p));
	stet_object(out, NULL);
	stet_put_str(out, "id", p->link);
	STET_TRY(preview_put(call, out, p, path));
	stet_close(out);
	return STET_OK;
}

enum stet_status
links_make(struct stet_call *call, const char *subject, const char *path)
{
	struct preview p = { .subject = subject };

	preview_lasts(call, &p);
	STET_TRY(stet_issues(call));
	return make(call, &p, path);
}

enum stet_status
links_list(struct stet_call *call, const char *subject)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, created_at, created_by, expires_at FROM preview_link WHERE subject = ?1"
	    " AND expires_at > ?2 ORDER BY id DESC",
	    STET_ARGS(subject, stet_time_text(call, stet_now(call)))));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, link_shape));
	stet_close(out);
	return STET_OK;
}

enum stet_status
links_withdraw(struct stet_call *call, const char *subject, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	const char *by;

	STET_TRY(stet_query(call, &rows,
	    "SELECT created_by FROM preview_link WHERE id = ?1 AND subject = ?2",
	    STET_ARGS(id, subject)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_NOT_FOUND, "link", "There is no such link");
	}
	by = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_require_owned(call, "content:read_drafts", "content:edit_any", by));
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM preview_link WHERE id = ?1", STET_ARGS(id)));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}

/* ---- links of what is gone ---- */

enum stet_status
links_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	STET_TRY(drop_ended(call, tx));
	return stet_exec(call, tx, "DELETE FROM preview_link WHERE subject >= ?1 AND subject < ?2",
	    STET_ARGS(preview_subject(call, collection, ""),
		stet_printf(call, "%s;", collection))); /* the sign after the colon */
}

/* ---- of an item ---- */

static enum stet_status
find(struct stet_call *call, const char **subject)
{
	struct now now = { 0 };

	STET_TRY(now_find(call, &now));
	*subject = preview_subject(call, now.plan->slug, now.id);
	return STET_OK;
}

enum stet_status
content_link_make(struct stet_call *call)
{
	struct preview p = { 0 };
	const char *path;

	STET_TRY(preview_read(call, &p, &path));
	return make(call, &p, path);
}

enum stet_status
content_links(struct stet_call *call)
{
	const char *subject;

	STET_TRY(find(call, &subject));
	return links_list(call, subject);
}

enum stet_status
content_link_withdraw(struct stet_call *call)
{
	const char *subject;

	STET_TRY(find(call, &subject));
	return links_withdraw(call, subject, stet_arg(call, "link"));
}
