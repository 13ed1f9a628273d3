/*
 * asked.c - requests for links by mail, and the job that turns them into mails.
 *
 * Anybody may ask for a mail to any address. A request stores the same row whether or not a user
 * has the address. The job deletes all rows without a user in one statement, and queues mails for
 * the rest. So the mail queue has only mails to users and invitations, however many requests
 * strangers make.
 */
#include "signin.h"
#include <stet/mail.h>
#include <string.h>

#define ASKS_MAX 5000 /* rows; if there are more, a request deletes those without a user first */
#define PART 100 /* mails queued in one transaction */
#define MAILS_MAX 800 /* in the queue, of STET_MAIL_PENDING_MAX: the rest is for invitations */
#define FULL_MS 1000 /* pause while the queue is full */
#define LOOK_MS 60000 /* between looks for requests that another process stored */
#define SENDS 3 /* mails to one account, of one client or one known browser, in ... */
#define SENDS_CLIENT 10 /* mails of all clients in one network, in ... */
#define SENDS_SECONDS 300
#define SENDS_ACCOUNT 10 /* mails to one account, of unknown browsers, in ... */
#define SENDS_ACCOUNT_SECONDS 600

/* ---- which requests get a mail ---- */

/* Deletes requests that get no mail: expired ones, those of addresses without an enabled user, and
 * those of users who have passkeys if linksBesidePasskeys is off. */
static enum stet_status
sort_out(struct stet_call *call, struct stet_tx *tx)
{
	return stet_exec(call, tx,
	    "DELETE FROM signin_ask WHERE expires_at <= ?1 OR NOT EXISTS (SELECT 1 FROM users u"
	    " WHERE u.email = signin_ask.email AND u.disabled = 0 AND (signin_ask.beside_passkeys"
	    " <> 0 OR NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id)))",
	    STET_ARGS(stet_time_text(call, stet_now(call))));
}

struct ask {
	const char *id, *email, *expires;
	int64_t minutes;
	bool beside_passkeys;
};

static enum stet_status
ask_for_mail(struct stet_call *call, struct stet_tx *tx, const struct ask *a)
{
	json_t *values = json_pack(
	    "{s:I,s:b}", "minutes", (json_int_t)a->minutes, "besidePasskeys", a->beside_passkeys);
	enum stet_status status;
	int64_t end;

	if (values == NULL || !stet_time_parse(a->expires, &end)) {
		json_decref(values);
		return stet_fault(call, "a request for a link cannot be read");
	}
	status = stet_mail(call, tx,
	    &(struct stet_mail){ .name = MAIL_MAGIC,
		.to = a->email,
		.values = values,
		.once = true,
		.most = MAILS_MAX,
		.lifetime = end - stet_now(call) });
	json_decref(values);
	return status;
}

static enum stet_status
read_part(struct stet_call *call, struct ask part[PART], size_t *count)
{
	struct stet_rows rows;

	*count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, email, expires_at, minutes, beside_passkeys FROM signin_ask ORDER BY id"
	    " LIMIT ?1",
	    STET_ARGS(PART)));
	while (stet_row(&rows))
		part[(*count)++] = (struct ask){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2), stet_col_int(&rows, 3),
			stet_col_int(&rows, 4) != 0 };
	return stet_rows_end(&rows);
}

/* Queues mails for a part of the requests. Sets *arg, a bool, if the mail queue is full; the other
 * requests stay. */
static enum stet_status
take(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct ask part[PART];
	enum stet_status status;
	bool *full = arg;
	size_t count;

	*full = false;
	STET_TRY(sort_out(call, tx));
	STET_TRY(read_part(call, part, &count));
	for (size_t i = 0; i < count && !*full; i++) {
		status = ask_for_mail(call, tx, &part[i]);
		*full = status == STET_RATE_LIMITED;
		if (*full)
			stet_error_clear(call);
		else
			STET_TRY(status);
		if (!*full)
			STET_TRY(stet_exec(call, tx, "DELETE FROM signin_ask WHERE id = ?1",
			    STET_ARGS(part[i].id)));
	}
	return STET_OK;
}

enum stet_status
ask_run(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);
	bool full = false;

	if (!stet_mail_configured(call)) /* mail was configured at the time of the request */
		full = true;
	else
		STET_TRY(stet_write_lane(call, take, &full));
	state->full_until = full ? stet_now(call) + FULL_MS : 0;
	return STET_OK;
}

int64_t
ask_due(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);
	int64_t now = stet_now(call), full = state->full_until;
	struct stet_rows rows;
	bool waits;

	if (stet_query(call, &rows, "SELECT 1 FROM signin_ask LIMIT 1", STET_NO_ARGS) != STET_OK)
		return now + LOOK_MS;
	waits = stet_row(&rows);
	if (stet_rows_end(&rows) != STET_OK || !waits)
		return now + LOOK_MS;
	return full > now && full <= now + FULL_MS ? full : now;
}

/* ---- the request ---- */

/* If there are very many requests, the job is late: does its first step here. This takes equally
 * long for every address. */
static enum stet_status
make_room(struct stet_call *call, struct stet_tx *tx, int64_t *count)
{
	static const char sql[] = "SELECT COUNT(*) FROM (SELECT 1 FROM signin_ask LIMIT ?1) AS w";
	struct stet_rows rows;

	for (int i = 0; i < 2; i++) {
		STET_TRY(stet_one(call, &rows, STET_FAULT, sql, STET_ARGS(ASKS_MAX)));
		*count = stet_col_int(&rows, 0);
		STET_TRY(stet_rows_end(&rows));
		if (*count < ASKS_MAX)
			return STET_OK;
		if (i == 0)
			STET_TRY(sort_out(call, tx));
	}
	return stet_fail(
	    call, STET_RATE_LIMITED, NULL, "Too many people ask for links: try again in a minute");
}

/* Mail and link expire at the same time, even if the setting changes before the mail is sent: a
 * mail is useless after that, and a used link stays in the database for as long as its mail may be
 * repeated. */
enum stet_status
ask_store(struct stet_call *call, const char *to)
{
	int64_t minutes = json_integer_value(stet_setting(call, MINUTES_OF_LINKS)), count;
	struct stet_tx *tx = stet_write_tx(call);

	STET_TRY(make_room(call, tx, &count));
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO signin_ask (id, email, minutes, beside_passkeys, expires_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(stet_id(call), to, minutes,
		json_is_true(stet_setting(call, LINKS_BESIDE_PASSKEYS)),
		stet_time_text(call, stet_now(call) + minutes * LINK_MINUTE))));
	stet_job_wake(call, ASK_JOB);
	return STET_OK;
}

enum stet_status
ask_limit(struct stet_call *call, const char *to)
{
	const char *browser;

	STET_TRY(known_browser(call, to, &browser));
	if (browser != NULL)
		return stet_limit(call, "signin-mail-known", browser, SENDS, SENDS_SECONDS);
	STET_TRY(stet_limit(call, "signin-mail", NULL, SENDS_CLIENT, SENDS_SECONDS));
	STET_TRY(stet_limit(call, "signin-mail-client",
	    stet_printf(call, "%s %s", stet_client(call), to), SENDS, SENDS_SECONDS));
	return stet_limit(call, "signin-mail-account", to, SENDS_ACCOUNT, SENDS_ACCOUNT_SECONDS);
}
