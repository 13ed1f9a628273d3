/*
 * mail.c - the queue of mails (stet_mail), and the job that sends them.
 *
 * A row of the table `mail` is a request, inserted in the transaction of its caller. Each module
 * with a table `mails` has a job, which takes the request that is due first, counts the attempt,
 * has the module make the text, and sends it. Success deletes the row; after a failure it waits; in
 * the end it is dead and stays for a while without its values. An attempt is counted and the next
 * one scheduled before anything is sent: if the process is killed, the mail is sent again.
 *
 * A server that is down makes all mails of the module wait, not only the one that found it so:
 * thousands of them would otherwise keep a thread busy with attempts to connect.
 */
#include "mail/mail.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/metrics.h"
#include "conf/confmail.h"
#include "db/rows.h"
#include "mail/mailtext.h"
#include "mail/mailtransport.h"
#include <ctype.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <stet/table.h>
#include <string.h>

#define LOOK_MS 60000 /* poll: another process may have queued mails */
#define DEAD_KEPT_MS INT64_C(2592000000) /* 30 days */
#define DEAD_KEPT 1000 /* dead mails kept for a site */

/* Seconds until the next attempt, by the number of attempts so far; the last one repeats. */
static const int pauses[] = { 30, 60, 120, 300, 600, 1200, 1800, 3600 };
#define PAUSES ((int64_t)(sizeof(pauses) / sizeof(pauses[0])))

const struct stet_sealed_column mail_sealed = { "mail", "content", "id" };

const char *
stet_mail_address(struct stet_call *call, const char *text)
{
	char *copy;

	if (text == NULL || !confmail_address(text))
		return NULL;
	copy = stet_strdup(call, text);
	for (char *c = strchr(copy, '@'); *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

/* ---- queueing ---- */

bool
stet_mail_configured(struct stet_call *call)
{
	return call->gen->conf->mail != NULL;
}

static bool
find_def(const struct stet_call *call, const char *name, struct stet_mail_def *def)
{
	const struct stet_table *mails = &call->owner->m.mails;

	for (uint32_t i = 0; i < mails->count; i++) {
		stet_table_row(mails, i, def, sizeof(*def));
		if (strcmp(def->name, name) == 0)
			return true;
	}
	return false;
}

static enum stet_status
check_site(struct stet_call *call, const char *now)
{
	struct stet_rows rows;
	int64_t count;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COUNT(*) FROM (SELECT 1 FROM mail WHERE dead_at IS NULL AND expires_at > ?1"
	    " LIMIT ?2) AS w",
	    STET_ARGS(now, STET_MAIL_PENDING_MAX)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= STET_MAIL_PENDING_MAX)
		return stet_fail(call, STET_RATE_LIMITED, NULL, "Too many mails wait to be sent");
	return STET_OK;
}

/* Fails if the queue already has the maximum number of mails of this name. */
static enum stet_status
check_kind(struct stet_call *call, const struct stet_mail *m, const char *now)
{
	struct stet_rows rows;
	int64_t count;

	if (m->most <= 0)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COUNT(*) FROM (SELECT 1 FROM mail WHERE module = ?1 AND dead_at IS NULL"
	    " AND name = ?2 AND expires_at > ?3 LIMIT ?4) AS w",
	    STET_ARGS(call->owner->m.name, m->name, now, m->most)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= m->most)
		return stet_fail(
		    call, STET_RATE_LIMITED, NULL, "Too many mails of this kind wait to be sent");
	return STET_OK;
}

/* Checks the limit of the address, for mails of this module: those of others leave it its room.
 * *waiting: the id of a queued mail that must not be queued twice, or NULL. */
static enum stet_status
check_address(
    struct stet_call *call, const struct stet_mail *m, const char *now, const char **waiting)
{
	struct stet_rows rows;
	int64_t count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT name, id FROM mail WHERE dead_at IS NULL AND lower(recipient) = lower(?1)"
	    " AND module = ?2 AND expires_at > ?3 LIMIT ?4",
	    STET_ARGS(m->to, call->owner->m.name, now, STET_MAIL_PENDING_TO_MAX)));
	*waiting = NULL;
	while (stet_row(&rows)) {
		count++;
		if (m->once && strcmp(stet_col_str(&rows, 0), m->name) == 0)
			*waiting = stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	if (count >= STET_MAIL_PENDING_TO_MAX && *waiting == NULL)
		return stet_fail(call, STET_RATE_LIMITED, "to",
		    "Too many mails to this address wait to be sent");
	return STET_OK;
}

static enum stet_status
seal_values(struct stet_call *call, struct stet_tx *tx, const char *id, const json_t *values,
    const char **sealed)
{
	char *text = values != NULL ? json_dumps(values, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	enum stet_status status = STET_OK;

	*sealed = NULL;
	if (values != NULL && (text == NULL || strlen(text) > STET_MAIL_VALUES_MAX))
		status = stet_fault(call, "the values of a mail are no JSON, or too many");
	else if (values != NULL)
		status = stet_seal(call, tx, &mail_sealed, id, text, strlen(text), sealed);
	free(text);
	return status;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct stet_mail *m)
{
	bool bounded = m->lifetime > 0 && m->lifetime < STET_MAIL_LIFETIME;
	int64_t now = clock_now(), end = now + (bounded ? m->lifetime : STET_MAIL_LIFETIME);
	const char *id = stet_id(call), *sealed, *now_text = stet_time_text(call, now);

	STET_TRY(seal_values(call, tx, id, m->values, &sealed));
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO mail (id, module, name, recipient, content, created_at, expires_at,"
	    " attempts, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?6)",
	    STET_ARGS(id, call->owner->m.name, m->name, m->to, sealed, now_text,
		stet_time_text(call, end))));
	stet_job_wake(call, mail_job.name);
	return STET_OK;
}

/* Updates a mail that is already queued. It takes as long as queueing a new one, so that timing
 * does not reveal whether the address belongs to a user. */
static enum stet_status
touch(struct stet_call *call, struct stet_tx *tx, const struct stet_mail *m, const char *id)
{
	const char *sealed;

	stet_error_clear(call); /* error of check_site: the queued mail is reused */
	STET_TRY(seal_values(call, tx, id, m->values, &sealed));
	return stet_exec(
	    call, tx, "UPDATE mail SET attempts = attempts WHERE id = ?1", STET_ARGS(id));
}

enum stet_status
stet_mail_sized(
    struct stet_call *call, struct stet_tx *tx, const struct stet_mail *theirs, size_t size)
{
	const char *now = stet_time_text(call, clock_now());
	struct stet_mail_def def;
	struct stet_mail m;
	enum stet_status status;
	const char *waiting;

	stet_assert(tx != NULL && call->owner != NULL);
	stet_extend(&m, sizeof(m), theirs, size);
	if (!find_def(call, m.name, &def))
		return stet_fault(
		    call, "the module %s has no mail %s", call->owner->m.name, m.name);
	m.to = stet_mail_address(call, m.to);
	if (m.to == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "to", "is no address for mail");
	if (!stet_mail_configured(call))
		return stet_fail(
		    call, STET_EMAIL_NOT_CONFIGURED, NULL, "No mail server is configured");
	STET_TRY(check_address(call, &m, now, &waiting));
	status = check_site(call, now);
	if (status == STET_OK)
		status = check_kind(call, &m, now);
	if (waiting != NULL)
		return touch(call, tx, &m, waiting);
	STET_TRY(status);
	return insert(call, tx, &m);
}

/* ---- one attempt ---- */

enum result { SENT, DROPPED, LATER, DOWN, DEAD };

/* A mail taken from the queue. Strings are owned by the call. */
struct sending {
	struct stet_mail_request request; /* id NULL: no mail is due */
	const char *name, *content;
	int64_t created, expires;
	enum result result;
	const char *said; /* the server's answer, or why nothing was sent */
};

/* Logs the result without the address. */
static void
tell(struct stet_call *call, const struct sending *s, int64_t due)
{
	static const char *const words[] = { "sent", "dropped", "deferred", "deferred", "dead" };
	static const enum stet_level level[] = { STET_INFO, STET_INFO, STET_WARN, STET_WARN,
		STET_ERROR };

	metrics_label(FAMILY_MAILS, call->owner->m.name, words[s->result]);
	stet_log(call, level[s->result], "mail %s (%s) %s in attempt %" PRId64 "%s%s%s%s",
	    s->request.id, s->name, words[s->result], s->request.attempt,
	    s->said != NULL ? ": " : "", s->said != NULL ? s->said : "",
	    due > 0 ? "; again at " : "", due > 0 ? stet_time_text(call, due) : "");
}

static enum stet_status
bury(struct stet_call *call, struct stet_tx *tx, const struct sending *s)
{
	return stet_exec(call, tx,
	    "UPDATE mail SET dead_at = ?2, error = ?3, content = NULL WHERE id = ?1",
	    STET_ARGS(s->request.id, stet_time_text(call, clock_now()), s->said));
}

static enum stet_status
read_due(struct stet_call *call, struct sending *s)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, name, recipient, content, attempts, created_at, expires_at, error FROM mail"
	    " WHERE module = ?1 AND dead_at IS NULL AND due_at <= ?2 ORDER BY due_at, id LIMIT 1",
	    STET_ARGS(call->owner->m.name, stet_time_text(call, clock_now()))));
	if (stet_row(&rows)) {
		s->request.id = stet_col_dup(&rows, 0);
		s->name = stet_col_dup(&rows, 1);
		s->request.to = stet_col_dup(&rows, 2);
		s->content = stet_col_dup(&rows, 3);
		s->request.attempt = stet_col_int(&rows, 4) + 1;
		if (!stet_time_parse(stet_col_str(&rows, 5), &s->created) ||
		    !stet_time_parse(stet_col_str(&rows, 6), &s->expires))
			s->created = s->expires = 0;
		s->said = stet_col_dup(&rows, 7);
	}
	return stet_rows_end(&rows);
}

static int64_t
next_attempt(const struct sending *s)
{
	int64_t n = s->request.attempt < PAUSES ? s->request.attempt : PAUSES;
	int64_t due = clock_now() + (int64_t)pauses[n - 1] * 1000;

	return due < s->expires ? due : s->expires;
}

/* Takes the mail that is due first and counts the attempt. */
static enum stet_status
take(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct sending *s = arg;

	*s = (struct sending){ .result = LATER };
	STET_TRY(read_due(call, s));
	if (s->request.id == NULL)
		return STET_OK;
	if (s->expires <= clock_now()) {
		s->result = DEAD;
		s->request.attempt--;
		s->said = stet_printf(call, "its time is over; the last failure: %s",
		    s->said != NULL ? s->said : "none");
		return bury(call, tx, s);
	}
	return stet_exec(call, tx, "UPDATE mail SET attempts = ?2, due_at = ?3 WHERE id = ?1",
	    STET_ARGS(s->request.id, s->request.attempt, stet_time_text(call, next_attempt(s))));
}

/* Reschedules the mail. If the server is down, reschedules the module's other mails, too. */
static enum stet_status
postpone(struct stet_call *call, struct stet_tx *tx, const struct sending *s, int64_t due)
{
	const char *until = stet_time_text(call, due);

	STET_TRY(stet_exec(call, tx, "UPDATE mail SET error = ?2, due_at = ?3 WHERE id = ?1",
	    STET_ARGS(s->request.id, s->said, until)));
	if (s->result != DOWN)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE mail SET error = ?2, due_at = ?3 WHERE module = ?1 AND dead_at IS NULL AND"
	    " due_at < ?3",
	    STET_ARGS(call->owner->m.name, s->said, until));
}

static enum stet_status
forget_dead(struct stet_call *call, struct stet_tx *tx)
{
	STET_TRY(stet_exec(call, tx, "DELETE FROM mail WHERE dead_at < ?1",
	    STET_ARGS(stet_time_text(call, clock_now() - DEAD_KEPT_MS))));
	return stet_exec(call, tx,
	    "DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE dead_at IS NOT NULL"
	    " ORDER BY dead_at DESC, id DESC LIMIT ?1 OFFSET ?2)",
	    STET_ARGS(DEAD_KEPT, DEAD_KEPT));
}

static enum stet_status
settle(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct sending *s = arg;

	if (s->result == LATER || s->result == DOWN)
		STET_TRY(postpone(call, tx, s, next_attempt(s)));
	else if (s->result == DEAD)
		STET_TRY(bury(call, tx, s));
	else
		STET_TRY(stet_exec(
		    call, tx, "DELETE FROM mail WHERE id = ?1", STET_ARGS(s->request.id)));
	return forget_dead(call, tx);
}

static enum stet_status
open_values(struct stet_call *call, struct sending *s)
{
	const char *text, *why;
	size_t len;

	if (s->content == NULL)
		return STET_OK;
	STET_TRY(stet_unseal(call, &mail_sealed, s->request.id, s->content, &text, &len));
	s->request.values = stet_json_parse(call, text, len, &why);
	return s->request.values != NULL ? STET_OK : stet_fault(call, "values of a mail: %s", why);
}

/* Has the module make the text. Returns false if there is nothing to send. */
static bool
make(struct stet_call *call, struct sending *s, struct stet_mail_text *made)
{
	struct stet_mail_def def;
	const char *why;

	if (!find_def(call, s->name, &def)) {
		s->result = DEAD;
		s->said = "the module has no such mail any more";
		return false;
	}
	if (open_values(call, s) != STET_OK || def.make(call, &s->request, made) != STET_OK) {
		s->said = stet_printf(call, "it was not made: %s", stet_error_text(call));
		stet_error_clear(call);
		return false;
	}
	if (made->drop) {
		s->result = DROPPED;
		return false;
	}
	if ((why = mailtext_refuses(made->subject, made->text)) != NULL) {
		s->result = DEAD;
		s->said = why;
	}
	return why == NULL;
}

static void
send_made(struct stet_call *call, struct sending *s, const struct stet_mail_text *made)
{
	static const enum result results[] = { [STET_MAIL_SENT] = SENT,
		[STET_MAIL_LATER] = LATER,
		[STET_MAIL_REFUSED] = DEAD,
		[STET_MAIL_DOWN] = DOWN };
	const struct conf_site *conf = call->gen->conf;
	char from[STET_MAIL_ADDRESS_MAX + 1], said[MAILTRANSPORT_SAID];
	char *host = mailtext_host(conf->base_url);
	struct stet_mail_letter mail = { .from = from, .to = s->request.to };
	struct buf text = { 0 };
	size_t name;

	stet_assert(confmail_from(conf->mail_from, from, &name));
	mailtext_write(&text, &(struct mailtext){ .sender = conf->mail_from,
				  .to = s->request.to,
				  .subject = made->subject,
				  .text = made->text,
				  .id = s->request.id,
				  .host = host,
				  .date = s->created });
	mail.text = text.data;
	mail.len = text.len;
	s->result = results[mailtransport_send(conf, &mail, said)];
	s->said = stet_strdup(call, said);
	sodium_memzero(text.data, text.len); /* it may hold a secret */
	buf_free(&text);
	free(host);
}

static enum stet_status
mail_run(struct stet_call *call)
{
	struct stet_mail_text made = { 0 };
	struct sending s;

	STET_TRY(stet_write_lane(call, take, &s));
	if (s.request.id == NULL)
		return STET_OK;
	if (s.result == DEAD) {
		tell(call, &s, 0);
		return STET_OK;
	}
	if (!stet_mail_configured(call)) {
		s.result = DOWN;
		s.said = "no mail server is configured";
	} else if (make(call, &s, &made)) {
		rows_end_call(call); /* end the snapshot before waiting for the server */
		if (call_replaced(call)) /* another daemon sends it when it is due again */
			return STET_OK;
		send_made(call, &s, &made);
	}
	tell(call, &s, s.result == LATER || s.result == DOWN ? next_attempt(&s) : 0);
	return stet_write_lane(call, settle, &s);
}

static int64_t
mail_due(struct stet_call *call)
{
	int64_t due = clock_now() + LOOK_MS, first;
	struct stet_rows rows;

	if (stet_query(call, &rows,
		"SELECT due_at FROM mail WHERE module = ?1 AND dead_at IS NULL ORDER BY due_at, id"
		" LIMIT 1",
		STET_ARGS(call->owner->m.name)) != STET_OK)
		return due;
	if (stet_row(&rows) && stet_time_parse(stet_col_str(&rows, 0), &first) && first < due)
		due = first;
	return stet_rows_end(&rows) == STET_OK ? due : clock_now() + LOOK_MS;
}

const struct stet_job mail_job = { "sending of mail", mail_due, mail_run };
