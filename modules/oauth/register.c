/*
 * register.c - clients register themselves (RFC 7591). Anybody may, so their number is bounded, and
 * those that no user agrees to within a day are deleted. The same job deletes other unused clients,
 * expired device codes and the counts of wrong codes.
 */
#include "clients.h"
#include <string.h>

#define HOUR_LIMIT 10 /* registrations from one address an hour */
#define REGISTERED_MAX 1000 /* self-registered clients of a site that no user has agreed to */
#define EVERY INT64_C(3600000) /* milliseconds between two searches for old rows */
#define PART 500 /* rows in one transaction */

static const char *
new_id(struct stet_call *call)
{
	unsigned char bytes[16];
	char hex[33];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(hex, sizeof(hex), bytes, sizeof(bytes));
	return stet_printf(
	    call, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

static enum stet_status
check_room(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM oauth_clients WHERE kind = ?1 AND used_at IS NULL",
	    STET_ARGS(CLIENT_REGISTERED)));
	if (stet_col_int(&rows, 0) < REGISTERED_MAX)
		return STET_OK;
	return oauth_refuse(call, "temporarily_unavailable",
	    "Too many clients have registered: try again tomorrow, or use a client ID metadata "
	    "document");
}

static enum stet_status
answer(struct stet_call *call, const struct oauth_client *c)
{
	struct stet_json *json = stet_json_new(call);
	const char *why, *name;
	json_t *kept = stet_json_parse(call, c->metadata, strlen(c->metadata), &why), *value;

	stet_object(json, NULL);
	stet_put_str(json, "client_id", c->id);
	stet_put_int(json, "client_id_issued_at", stet_now(call) / 1000);
	stet_put_str(json, "client_name", c->name);
	stet_put_json(json, "redirect_uris", c->redirect_uris);
	json_object_foreach(kept, name, value) stet_put_json(json, name, value);
	stet_close(json);
	return oauth_send(call, 201, json);
}

static enum stet_status
register_client(struct stet_call *call)
{
	size_t len;
	const char *body = stet_body(call, &len), *why = "it is empty";
	struct oauth_client client = { .kind = CLIENT_REGISTERED };
	json_t *object = body != NULL ? stet_json_parse(call, body, len, &why) : NULL;

	if (!json_is_true(stet_setting(call, REGISTRATION)))
		return oauth_refuse(call, "access_denied",
		    "Clients cannot register themselves here: ask an administrator to enter yours");
	STET_TRY(stet_limit(call, "oauth-register", NULL, HOUR_LIMIT, 3600));
	if (object == NULL)
		return oauth_refuse(
		    call, "invalid_client_metadata", "The body is not JSON: %s", why);
	STET_TRY(metadata_read(call, object, &client));
	STET_TRY(check_room(call));
	client.id = new_id(call);
	if (client.name == NULL)
		client.name = stet_printf(call, "dynamic-%.8s", client.id);
	STET_TRY(client_store(call, stet_write_tx(call), &client));
	return answer(call, &client);
}

enum stet_status
client_register(struct stet_call *call)
{
	return oauth_reply(call, register_client(call));
}

/* ---- unused clients and old device codes ---- */

static const char *
day_ago(struct stet_call *call)
{
	return stet_time_text(call, stet_now(call) - DAY);
}

/* Clients without a grant, one day after they were last changed or agreed to. Clients that
 * administrators have entered are not among them. */
#define UNUSED                                                                        \
	" FROM oauth_clients WHERE kind IN ('registered', 'document', 'device')"      \
	" AND updated_at <= ?1 AND (used_at IS NULL OR used_at <= ?1) AND NOT EXISTS" \
	" (SELECT 1 FROM oauth_grants WHERE client_id = oauth_clients.id)"

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 WHERE EXISTS (SELECT 1" UNUSED ")"
	    " OR EXISTS (SELECT 1 FROM oauth_devices WHERE expires_at <= ?2)"
	    " OR EXISTS (SELECT 1 FROM oauth_device_tries WHERE ends_at <= ?2)",
	    STET_ARGS(day_ago(call), stet_time_text(call, stet_now(call)))));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

int64_t
clients_due(struct stet_call *call)
{
	struct oauth_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->clients_swept, EVERY, look);
}

static enum stet_status
sweep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const char *now = stet_time_text(call, stet_now(call));

	(void)arg;
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_clients WHERE id IN (SELECT id" UNUSED " LIMIT ?2)",
	    STET_ARGS(day_ago(call), PART)));
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_devices WHERE hash IN (SELECT hash FROM oauth_devices"
	    " WHERE expires_at <= ?1 LIMIT ?2)",
	    STET_ARGS(now, PART)));
	return stet_exec(call, tx,
	    "DELETE FROM oauth_device_tries WHERE user_id IN (SELECT user_id"
	    " FROM oauth_device_tries WHERE ends_at <= ?1 LIMIT ?2)",
	    STET_ARGS(now, PART));
}

enum stet_status
clients_sweep(struct stet_call *call)
{
	return stet_write_lane(call, sweep, NULL);
}
