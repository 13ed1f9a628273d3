/*
 * session.c - sessions: starts one at sign-in, finds it for each request by its cookie, ends it.
 *
 * The database has only the SHA-256 of a session's token, so a copy of the database opens no
 * session. A request takes one statement, which joins the session with its user: a new role takes
 * effect at once, and a disabled user is refused at once.
 */
#include "signin.h"
#include <stet/credential.h>
#include <string.h>

#define DAY INT64_C(86400000) /* milliseconds */
#define SESSIONS_MAX 50 /* sessions of a user; a further one ends the oldest */
#define AGENT_MAX 200 /* characters of User-Agent that are stored */
#define ADDRESS_MAX 63

struct stet_signin {
	char agent[AGENT_MAX + 1], address[ADDRESS_MAX + 1];
	bool had; /* the request had a session cookie */
	unsigned char old[HASH_BYTES]; /* the hash of its token */
	char token[SECRET_LEN + 1]; /* token of the new session */
	char user_id[27];
	const char *email; /* email of the user; owned by the call */
	int64_t seconds; /* lifetime of the new session */
};

/* ---- lifetimes ---- */

static int64_t
days(struct stet_call *call, const char *setting)
{
	return json_integer_value(transport_setting(call, setting)) * DAY;
}

/* When a session last used at `now` ends for lack of use. The caller limits this to the session's
 * final end. */
static const char *
idle_end(struct stet_call *call, int64_t now)
{
	return stet_time_text(call, now + days(call, "sessionIdleDays"));
}

/* ---- starting ---- */

struct stet_signin *
session_begin(struct stet_call *call)
{
	struct stet_signin *s = stet_alloc(call, sizeof(*s));
	const char *token = cookie_read(call);

	copy_printable(s->agent, sizeof(s->agent), stet_request_header(call, "user-agent"));
	copy_printable(s->address, sizeof(s->address), stet_client(call));
	s->had = token != NULL;
	if (token != NULL)
		secret_hash(token, s->old);
	return s;
}

static enum stet_status
check_user(struct stet_call *call, struct stet_signin *s, const char *user_id)
{
	struct stet_rows rows;
	bool disabled;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT disabled, email FROM users WHERE id = ?1", STET_ARGS(user_id)));
	disabled = stet_col_int(&rows, 0) != 0;
	s->email = stet_col_dup(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	if (disabled)
		return stet_fail(call, stet_code(call, "ACCOUNT_DISABLED"), NULL,
		    "This account is disabled: ask an administrator");
	return STET_OK;
}

/* Ends the session that the request came with, since somebody may have planted its cookie. Ends the
 * user's oldest sessions if there are too many. */
static enum stet_status
make_room(struct stet_call *call, struct stet_tx *tx, const struct stet_signin *s)
{
	if (s->had)
		STET_TRY(stet_exec(call, tx, "DELETE FROM sessions WHERE hash = ?1",
		    STET_ARGS(stet_val_blob(s->old, HASH_BYTES))));
	return stet_exec(call, tx,
	    "DELETE FROM sessions WHERE user_id = ?1 AND id NOT IN (SELECT id FROM sessions"
	    " WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2)",
	    STET_ARGS(s->user_id, SESSIONS_MAX - 1));
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, struct stet_signin *s, const char *method,
    const char *credential_id)
{
	const int64_t now = stet_now(call), life = days(call, "sessionDays");
	const char *idle = idle_end(call, now), *end = stet_time_text(call, now + life);
	unsigned char hash[HASH_BYTES];

	s->seconds = life / 1000;
	secret_make(s->token);
	secret_hash(s->token, hash);
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO sessions (id, hash, user_id, method, credential_id, agent, address,"
	    " created_at, seen_at, ends_at, expires_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)",
	    STET_ARGS(stet_id(call), stet_val_blob(hash, sizeof(hash)), s->user_id, method,
		credential_id, s->agent, s->address, stet_time_text(call, now),
		strcmp(idle, end) < 0 ? idle : end, end)));
	return stet_exec(call, tx, "UPDATE users SET last_login_at = ?1 WHERE id = ?2",
	    STET_ARGS(stet_time_text(call, now), s->user_id));
}

enum stet_status
session_start(struct stet_call *call, struct stet_tx *tx, struct stet_signin *s,
    const char *user_id, const char *method, const char *credential_id)
{
	if (!stet_is_id(user_id))
		return stet_fail(call, STET_NOT_FOUND, NULL, "User not found");
	STET_TRY(transport_check(call));
	STET_TRY(check_user(call, s, user_id));
	memcpy(s->user_id, user_id, sizeof(s->user_id));
	STET_TRY(make_room(call, tx, s));
	STET_TRY(store(call, tx, s, method, credential_id));
	return event_signed_in(call, tx, user_id, method, s->address);
}

enum stet_status
session_start_other(struct stet_call *call, struct stet_tx *tx, struct stet_signin *s,
    const char *user_id, const char *method)
{
	return session_start(call, tx, s, user_id, method, NULL);
}

void
session_finish_other(struct stet_call *call, const struct stet_signin *s)
{
	cookie_set(call, s->token, s->seconds);
	stet_header(call, "Cache-Control", "no-store");
}

void
session_finish(struct stet_call *call, const struct stet_signin *s)
{
	known_set(call, s->email);
	session_finish_other(call, s);
}

static const struct stet_member user_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "role", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
const struct stet_member signin_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "user", STET_OBJECT, STET_REQUIRED, .of = user_out },
	{ 0 },
};

enum stet_status
session_reply(struct stet_call *call, const struct stet_signin *s)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT id, email, name, role FROM users WHERE id = ?1", STET_ARGS(s->user_id)));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_object(out, "user");
	stet_put_columns(out, &rows, 0, user_out, 4);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- ending ---- */

enum stet_status
session_end_user(struct stet_call *call, struct stet_tx *tx, const char *user_id)
{
	return stet_exec(call, tx, "DELETE FROM sessions WHERE user_id = ?1", STET_ARGS(user_id));
}

enum stet_status
session_end_credential(struct stet_call *call, struct stet_tx *tx, const char *credential_id)
{
	return stet_exec(
	    call, tx, "DELETE FROM sessions WHERE credential_id = ?1", STET_ARGS(credential_id));
}

/* ---- looking up ---- */

enum column { ID, HASH, CREATED, ENDS, USER_ID, EMAIL, NAME, ROLE, DISABLED };

struct found {
	struct stet_principal principal;
	int64_t until;
	bool disabled;
};

/* Returns true if the row is the session with this hash. */
static bool
read_session(struct stet_rows *rows, const unsigned char *hash, struct found *out)
{
	size_t len;
	const void *stored = stet_col_blob(rows, HASH, &len);
	int64_t created;

	if (len != HASH_BYTES || sodium_memcmp(stored, hash, len) != 0 ||
	    !stet_time_parse(stet_col_str(rows, CREATED), &created) ||
	    !stet_time_parse(stet_col_str(rows, ENDS), &out->until))
		return false;
	out->disabled = stet_col_int(rows, DISABLED) != 0;
	out->principal = (struct stet_principal){ .id = stet_col_str(rows, USER_ID),
		.email = stet_col_str(rows, EMAIL),
		.name = stet_col_str(rows, NAME),
		.role = (int)stet_col_int(rows, ROLE),
		.via = STET_VIA_SESSION,
		.session_id = stet_col_str(rows, ID),
		.signed_in_at = created };
	return true;
}

static enum stet_status
admit(struct stet_call *call, const struct stet_principal *p, int64_t until)
{
	struct signin_state *state = stet_state(call);

	if (stet_now(call) >= until)
		return STET_DECLINED;
	stet_principal_set(call, p);
	stet_usage_note(call, state->seen, p->session_id, SEEN_JOB);
	return STET_OK;
}

/* Makes the row's user the principal, unless the user is disabled. */
static enum stet_status
admit_row(struct stet_call *call, const void *kind, const char *token, const struct found *f)
{
	if (f->disabled) {
		cookie_clear(call);
		return stet_fail(call, stet_code(call, "ACCOUNT_DISABLED"), NULL,
		    "This account is disabled: ask an administrator");
	}
	stet_credential_keep(call, kind, token, SECRET_LEN, &f->principal, f->until);
	return admit(call, &f->principal, f->until);
}

enum stet_status
session_authenticate(struct stet_call *call)
{
	static const char kind;
	const char *token = cookie_read(call);
	const struct stet_principal *known;
	enum stet_status status = STET_DECLINED;
	unsigned char hash[HASH_BYTES];
	struct stet_rows rows;
	struct found found;
	int64_t until;

	if (token == NULL)
		return STET_DECLINED;
	if ((known = stet_credential_known(call, &kind, token, SECRET_LEN, &until)) != NULL)
		return admit(call, known, until);
	secret_hash(token, hash);
	STET_TRY(stet_query(call, &rows,
	    "SELECT s.id, s.hash, s.created_at, s.ends_at, u.id, u.email, u.name, u.role, u.disabled"
	    " FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)))));
	if (stet_row(&rows) && read_session(&rows, hash, &found))
		status = admit_row(call, &kind, token, &found);
	STET_TRY(stet_rows_end(&rows));
	return status;
}

/* ---- when sessions were last used ---- */

static enum stet_status
write_seen(struct stet_call *call, struct stet_tx *tx, const char *id, int64_t at)
{
	return stet_exec(call, tx,
	    "UPDATE sessions SET seen_at = ?1, ends_at = CASE WHEN ?2 < expires_at THEN ?2"
	    " ELSE expires_at END WHERE id = ?3 AND seen_at < ?1",
	    STET_ARGS(stet_time_text(call, at), idle_end(call, at), id));
}

int64_t
session_seen_due(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);

	return stet_usage_due(call, state->seen);
}

enum stet_status
session_seen_write(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);

	return stet_usage_write(call, state->seen, write_seen);
}
