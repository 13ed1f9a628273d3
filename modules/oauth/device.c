/*
 * device.c - the device flow (RFC 8628), for programs without a browser. The program shows a code.
 * A user who is signed in elsewhere types the code and agrees. The program polls every few seconds
 * and then gets its tokens.
 *
 * The code that users type has 40 bits and lives for a quarter of an hour (deviceCodeMinutes). A
 * user's wrong codes are counted in the database, so several daemons do not allow more guesses.
 */
#include "clients.h"
#include <ctype.h>
#include <string.h>

#define INTERVAL 5 /* seconds between two polls */
#define INTERVAL_MAX 60
#define WAITING_MAX 1000 /* pending requests of a site */
#define TRIES_MAX 10 /* wrong codes of a user within TRIES_TIME */
#define TRIES_TIME (15 * MINUTE)
#define SYMBOLS 8
#define ALPHABET "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" /* 32: 5 bits each */
#define UNNAMED "device" /* the id of a client that sends none */

/* ---- codes that people type ---- */

static const char *
make_user_code(struct stet_call *call)
{
	char code[SYMBOLS + 1] = "";

	for (size_t i = 0; i < SYMBOLS; i++)
		code[i] = ALPHABET[randombytes_uniform(sizeof(ALPHABET) - 1)];
	return stet_strdup(call, code);
}

static const char *
show_user_code(struct stet_call *call, const char *code)
{
	return stet_printf(call, "%.4s-%s", code, code + 4);
}

/* The code without hyphens and blanks, in upper case; NULL: this is not a valid code. */
static const char *
read_user_code(struct stet_call *call, const char *typed)
{
	char *code = stet_alloc(call, SYMBOLS + 1);
	size_t len = 0;

	for (; *typed != '\0'; typed++) {
		int c = toupper((unsigned char)*typed);

		if (c == '-' || c == ' ')
			continue;
		if (len == SYMBOLS || strchr(ALPHABET, c) == NULL)
			return NULL;
		code[len++] = (char)c;
	}
	return len == SYMBOLS ? code : NULL;
}

/* ---- a program asks for a code ---- */

struct request {
	struct oauth_client client;
	const char *scopes, *resource;
	const char *code, *user_code;
	const char *address;
	int64_t lifetime; /* milliseconds */
	bool full;
};

static bool
is_plain_id(const char *id)
{
	size_t len = strlen(id);

	return len > 0 && len <= 100 &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
		   len;
}

/* Finds the client that asks. A client id is no proof, since ids are public. So an unknown id
 * becomes the client's name, and the page says that nobody has checked it. */
static enum stet_status
find_client(struct stet_call *call, const char *id, struct oauth_client *out)
{
	enum stet_status status;

	if (document_is_id(id))
		return document_find(call, id, out);
	status = client_find(call, id, out);
	if (status != STET_DECLINED || !is_plain_id(id))
		return status;
	*out = (struct oauth_client){ .id = id,
		.kind = CLIENT_DEVICE,
		.name = id,
		.redirect_uris = stet_json_own(call, json_array()) };
	return STET_OK;
}

/* Refuses a client whose metadata lists grant types without the device grant. */
static enum stet_status
check_grant_type(struct stet_call *call, const struct oauth_client *c)
{
	const char *why;
	const json_t *grants;
	json_t *said;

	if (c->metadata == NULL)
		return STET_OK;
	said = stet_json_parse(call, c->metadata, strlen(c->metadata), &why);
	grants = json_object_get(said, "grant_types");
	for (size_t i = 0; i < json_array_size(grants); i++) {
		const char *g = json_string_value(json_array_get(grants, i));

		if (g != NULL && strcmp(g, DEVICE_GRANT) == 0)
			return STET_OK;
	}
	return grants == NULL ? STET_OK
			      : oauth_refuse(call, "unauthorized_client",
				    "grant_types of the client lacks " DEVICE_GRANT);
}

static const char *
client_text(struct stet_call *call, const struct oauth_client *c)
{
	struct stet_json *json = stet_json_new(call);

	stet_object(json, NULL);
	stet_put_str(json, "kind", c->kind);
	stet_put_str(json, "name", c->name);
	stet_put_json(json, "redirectUris", c->redirect_uris);
	stet_put_str(json, "scopes", c->scopes);
	stet_put_str(json, "metadata", c->metadata);
	stet_close(json);
	return stet_json_text(json, NULL);
}

static enum stet_status
store_request(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct request *r = arg;
	unsigned char hash[HASH_BYTES];
	const char *now = stet_time_text(call, stet_now(call));
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM oauth_devices WHERE expires_at > ?1", STET_ARGS(now)));
	r->full = stet_col_int(&rows, 0) >= WAITING_MAX;
	if (r->full)
		return STET_OK;
	secret_hash(r->code, hash);
	return stet_exec(call, tx,
	    "INSERT INTO oauth_devices (hash, user_code, client_id, client, scopes, resource,"
	    " address, created_at, expires_at, poll_interval, polled, denied)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0)",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)), r->user_code, r->client.id,
		client_text(call, &r->client), r->scopes, r->resource, r->address, now,
		stet_time_text(call, stet_now(call) + r->lifetime), INTERVAL));
}

/* Stores the request; tries again with another user code if that one is taken. */
static enum stet_status
store_with_code(struct stet_call *call, struct request *r)
{
	enum stet_status status = STET_CONFLICT;

	for (int i = 0; i < 4 && status == STET_CONFLICT; i++) {
		r->user_code = make_user_code(call);
		status = stet_write_lane(call, store_request, r);
	}
	return status == STET_CONFLICT ? stet_fault(call, "no free user code") : status;
}

static enum stet_status
begin(struct stet_call *call, struct request *r)
{
	struct oauth_params params;
	const char *id, *asked;

	STET_TRY(stet_limit(call, "oauth-device-code", NULL, 10, 60));
	STET_TRY(params_body(call, &params));
	id = params_get(&params, "client_id");
	asked = params_get(&params, "scope");
	STET_TRY(resource_check(call, params_get(&params, "resource"), &r->resource));
	STET_TRY(find_client(call, id != NULL ? id : UNNAMED, &r->client));
	STET_TRY(check_grant_type(call, &r->client));
	r->scopes = scopes_clamp(call, asked, r->client.scopes, 50);
	if (*r->scopes == '\0')
		return oauth_refuse(call, "invalid_scope", "No valid scopes requested");
	r->address = stet_client(call);
	r->lifetime = json_integer_value(stet_setting(call, DEVICE_MINUTES)) * MINUTE;
	r->code = secret_new(call, "");
	STET_TRY(store_with_code(call, r));
	return r->full ? oauth_refuse(call, "temporarily_unavailable",
			     "Too many devices wait to be approved: try again later")
		       : STET_OK;
}

static void
put_request(struct stet_call *call, struct stet_json *json, const struct request *r)
{
	const char *shown = show_user_code(call, r->user_code);
	const char *uri = stet_printf(call, "%s%s", stet_base_url(call), DEVICE_PAGE_PATH);

	stet_put_str(json, "device_code", r->code);
	stet_put_str(json, "user_code", shown);
	stet_put_str(json, "verification_uri", uri);
	stet_put_str(
	    json, "verification_uri_complete", stet_printf(call, "%s?user_code=%s", uri, shown));
	stet_put_int(json, "expires_in", r->lifetime / 1000);
	stet_put_int(json, "interval", INTERVAL);
}

static enum stet_status
answer_request(struct stet_call *call)
{
	struct request r = { .full = false };
	struct stet_json *json = stet_json_new(call);

	STET_TRY(begin(call, &r));
	stet_object(json, NULL);
	put_request(call, json, &r);
	stet_put_bool(json, "success", true);
	stet_object(json, "data");
	put_request(call, json, &r);
	stet_close(json);
	stet_close(json);
	return oauth_send(call, 200, json);
}

enum stet_status
device_code(struct stet_call *call)
{
	return oauth_reply(call, answer_request(call));
}

/* ---- the program polls for the user's decision ---- */

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, struct stet_val hash)
{
	return stet_exec(call, tx, "DELETE FROM oauth_devices WHERE hash = ?1", STET_ARGS(hash));
}

/* Answers a poll before the user's decision. Polling too early lengthens the interval. */
static enum stet_status
wait_longer(struct stet_call *call, struct stet_tx *tx, struct stet_val hash, int64_t polled,
    int64_t interval)
{
	bool early = stet_now(call) < polled + interval * 1000;

	if (early)
		interval = interval + 5 < INTERVAL_MAX ? interval + 5 : INTERVAL_MAX;
	STET_TRY(stet_exec(call, tx,
	    "UPDATE oauth_devices SET polled = ?1, poll_interval = ?2 WHERE hash = ?3",
	    STET_ARGS((long long)stet_now(call), (long long)interval, hash)));
	return early ? oauth_refuse(call, "slow_down", "Ask every %d seconds", (int)interval)
		     : oauth_refuse(call, "authorization_pending", "The user has not decided yet");
}

static enum stet_status
check_exchange(struct stet_call *call, const struct oauth_params *p, const char *client_id,
    const char *granted)
{
	const char *id = params_get(p, "client_id"), *asked = params_get(p, "resource"), *resource;

	if (id != NULL && strcmp(id, client_id) != 0)
		return oauth_refuse(call, "invalid_grant", "client_id mismatch");
	STET_TRY(resource_check(call, asked, &resource));
	if (resource != NULL && (granted == NULL || strcmp(resource, granted) != 0))
		return oauth_refuse(call, "invalid_target", "resource mismatch");
	return STET_OK;
}

enum stet_status
device_exchange(struct stet_call *call, struct stet_tx *tx, const struct oauth_params *p,
    struct oauth_issued *out)
{
	unsigned char bytes[HASH_BYTES] = { 0 };
	struct stet_val hash = stet_val_blob(bytes, sizeof(bytes));
	const char *code, *client_id, *resource, *grant_id, *expires;
	int64_t polled, interval;
	struct oauth_grant grant;
	struct stet_rows rows;
	bool denied;

	STET_TRY(params_need(call, p, "device_code", &code));
	secret_hash(code, bytes);
	STET_TRY(stet_query(call, &rows,
	    "SELECT client_id, resource, expires_at, polled, poll_interval, denied, grant_id"
	    " FROM oauth_devices WHERE hash = ?1",
	    STET_ARGS(hash)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return oauth_refuse(call, "invalid_grant", "Invalid device code");
	}
	expires = stet_col_dup(&rows, 2);
	polled = stet_col_int(&rows, 3);
	interval = stet_col_int(&rows, 4);
	denied = stet_col_int(&rows, 5) != 0;
	grant_id = stet_col_dup(&rows, 6);
	client_id = stet_col_dup(&rows, 0);
	resource = stet_col_dup(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(check_exchange(call, p, client_id, resource));
	if (strcmp(expires, stet_time_text(call, stet_now(call))) <= 0)
		return oauth_refuse(call, "expired_token", "The device code has expired");
	if (!denied && grant_id == NULL)
		return wait_longer(call, tx, hash, polled, interval);
	STET_TRY(forget(call, tx, hash));
	if (denied)
		return oauth_refuse(call, "access_denied", "The user has refused");
	STET_TRY(grant_load(call, grant_id, &grant));
	STET_TRY(grant_issue(call, tx, &grant, out));
	return grant_tell(call, tx, &grant, "oauth_token");
}

static enum stet_status
exchange(struct stet_call *call)
{
	struct stet_json *json = stet_json_new(call);
	struct oauth_issued issued;
	struct oauth_params params;
	const char *type;

	STET_TRY(stet_limit(call, "oauth-device-token", NULL, 12, 60));
	STET_TRY(params_body(call, &params));
	type = params_get(&params, "grant_type");
	if (type != NULL && strcmp(type, DEVICE_GRANT) != 0)
		return oauth_refuse(
		    call, "unsupported_grant_type", "The only grant_type here is " DEVICE_GRANT);
	STET_TRY(device_exchange(call, stet_write_tx(call), &params, &issued));
	stet_object(json, NULL);
	issued_put(json, &issued);
	stet_put_bool(json, "success", true);
	stet_object(json, "data");
	issued_put(json, &issued);
	stet_close(json);
	stet_close(json);
	return oauth_send(call, 200, json);
}

enum stet_status
device_token(struct stet_call *call)
{
	return oauth_reply(call, exchange(call));
}

/* ---- the user decides ---- */

static enum stet_status
count_try(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const char *user = arg, *now = stet_time_text(call, stet_now(call));

	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO oauth_device_tries (user_id, tries, ends_at) VALUES (?1, 1, ?2)"
	    " ON CONFLICT (user_id) DO UPDATE SET"
	    " tries = CASE WHEN oauth_device_tries.ends_at <= ?3 THEN 1"
	    " ELSE oauth_device_tries.tries + 1 END,"
	    " ends_at = CASE WHEN oauth_device_tries.ends_at <= ?3 THEN excluded.ends_at"
	    " ELSE oauth_device_tries.ends_at END",
	    STET_ARGS(user, stet_time_text(call, stet_now(call) + TRIES_TIME), now)));
	return stet_run_account_event(call, tx,
	    &(struct stet_account_event){ .what = "oauth_device_failed",
		.module = "oauth",
		.user_id = user,
		.address = stet_client(call),
		.count = 1 });
}

static enum stet_status
check_tries(struct stet_call *call, const char *user)
{
	struct stet_rows rows;
	int64_t ends = 0, seconds;

	STET_TRY(stet_limit(call, "oauth-device-user", user, 30, 300));
	STET_TRY(stet_limit(call, "oauth-device-address", NULL, 30, 300));
	STET_TRY(stet_query(call, &rows,
	    "SELECT ends_at FROM oauth_device_tries WHERE user_id = ?1 AND tries >= ?2",
	    STET_ARGS(user, TRIES_MAX)));
	if (stet_row(&rows) && !stet_time_parse(stet_col_dup(&rows, 0), &ends))
		return stet_fault(call, "a time of oauth_device_tries is none");
	STET_TRY(stet_rows_end(&rows));
	if (ends <= stet_now(call))
		return STET_OK;
	seconds = (ends - stet_now(call) + 999) / 1000;
	stet_header(call, "Retry-After", stet_printf(call, "%lld", (long long)seconds));
	return stet_fail(call, STET_RATE_LIMITED, NULL,
	    "Too many wrong codes: try again in %lld seconds", (long long)seconds);
}

static void
read_device(struct stet_call *call, struct stet_rows *rows, struct device *out)
{
	size_t len;
	const char *text = stet_col_text(rows, 2, &len), *why;
	const json_t *client = stet_json_parse(call, text, len, &why);

	*out = (struct device){ .user_code = show_user_code(call, stet_col_dup(rows, 0)),
		.client_id = stet_col_dup(rows, 1),
		.client = { .id = stet_col_dup(rows, 1),
		    .kind = json_string_value(json_object_get(client, "kind")),
		    .name = json_string_value(json_object_get(client, "name")),
		    .redirect_uris = json_object_get(client, "redirectUris"),
		    .scopes = json_string_value(json_object_get(client, "scopes")),
		    .metadata = json_string_value(json_object_get(client, "metadata")) },
		.scopes = stet_col_dup(rows, 3),
		.resource = stet_col_dup(rows, 4),
		.address = stet_col_dup(rows, 5),
		.created_at = stet_col_dup(rows, 6),
		.expires_at = stet_col_dup(rows, 7) };
}

enum stet_status
device_find(struct stet_call *call, const char *typed, struct device *out)
{
	const char *user = stet_principal(call)->id, *code = read_user_code(call, typed);
	struct stet_rows rows;
	bool found = false;

	STET_TRY(check_tries(call, user));
	if (code != NULL) {
		STET_TRY(stet_query(call, &rows,
		    "SELECT user_code, client_id, client, scopes, resource, address, created_at,"
		    " expires_at FROM oauth_devices"
		    " WHERE user_code = ?1 AND denied = 0 AND grant_id IS NULL",
		    STET_ARGS(code)));
		found = stet_row(&rows);
		if (found)
			read_device(call, &rows, out);
		STET_TRY(stet_rows_end(&rows));
	}
	if (!found) {
		STET_TRY(stet_write_lane(call, count_try, (void *)user));
		return stet_fail(call, stet_code(call, "INVALID_CODE"), "user_code",
		    "No device waits with this code");
	}
	if (strcmp(out->expires_at, stet_time_text(call, stet_now(call))) <= 0)
		return stet_fail(call, stet_code(call, "EXPIRED_CODE"), "user_code",
		    "The code has expired: begin again on the device");
	return STET_OK;
}

const char *
device_scopes(struct stet_call *call, const struct device *d)
{
	return scopes_clamp(call, d->scopes, d->client.scopes, stet_principal(call)->role);
}

struct decision {
	const struct device *device;
	const char *user_id, *scopes; /* NULL: denied */
};

/* Stores a client that describes itself (by a document or to the device endpoint), unless a client
 * of another kind has its id. */
static enum stet_status
keep_client(struct stet_call *call, struct stet_tx *tx, const struct oauth_client *c)
{
	struct stet_rows rows;
	bool known;

	STET_TRY(stet_query(
	    call, &rows, "SELECT kind FROM oauth_clients WHERE id = ?1", STET_ARGS(c->id)));
	known = stet_row(&rows) && strcmp(stet_col_str(&rows, 0), c->kind) != 0;
	STET_TRY(stet_rows_end(&rows));
	if (!known &&
	    (strcmp(c->kind, CLIENT_DOCUMENT) == 0 || strcmp(c->kind, CLIENT_DEVICE) == 0))
		return client_store(call, tx, c);
	return STET_OK;
}

static enum stet_status
decide(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct decision *x = arg;
	const struct device *d = x->device;
	struct oauth_grant grant = { .user_id = x->user_id,
		.client_id = d->client.id,
		.scopes = x->scopes,
		.resource = d->resource };
	const char *id = NULL, *code = read_user_code(call, d->user_code);

	if (x->scopes != NULL) {
		STET_TRY(keep_client(call, tx, &d->client));
		STET_TRY(grant_make(call, tx, &grant, &id));
	}
	STET_TRY(stet_exec(call, tx,
	    "UPDATE oauth_devices SET grant_id = ?1, denied = ?2"
	    " WHERE user_code = ?3 AND denied = 0 AND grant_id IS NULL AND expires_at > ?4",
	    STET_ARGS(id, x->scopes == NULL, code, stet_time_text(call, stet_now(call)))));
	if (stet_changes(call) != 1)
		return stet_fail(call, stet_code(call, "INVALID_CODE"), "user_code",
		    "No device waits with this code");
	return grant_tell(call, tx, &grant, x->scopes != NULL ? "oauth_consent" : "oauth_deny");
}

enum stet_status
device_decide(struct stet_call *call, const struct device *d, const char *scopes)
{
	struct decision x = { d, stet_principal(call)->id, scopes };

	if (scopes != NULL && *scopes == '\0')
		return stet_fail(call, stet_code(call, "INSUFFICIENT_ROLE"), NULL,
		    "None of the permissions that were asked for can be granted");
	return stet_write_lane(call, decide, &x);
}

/* ---- the decision over the API ---- */

const struct stet_member device_authorize_in[] = {
	{ "user_code", STET_STRING, STET_REQUIRED, .about = "The code that the device shows",
	    STET_RANGE(1, 100) },
	{ "action", STET_STRING, .about = "What the user decides", STET_CHOICES("approve", "deny"),
	    .fallback = "\"approve\"" },
	{ 0 },
};
const struct stet_member device_authorize_out[] = {
	{ "authorized", STET_BOOLEAN, STET_REQUIRED, .about = "Whether the device is let in" },
	{ 0 },
};

enum stet_status
device_authorize(struct stet_call *call)
{
	bool approve = strcmp(stet_arg(call, "action"), "approve") == 0;
	struct stet_json *out = stet_reply(call);
	struct device device;

	/* Only sessions may approve a device: a token could otherwise grant scopes that it
	 * lacks. */
	if (stet_principal(call)->via != STET_VIA_SESSION)
		return stet_fail(call, STET_INVALID_REQUEST, NULL,
		    "Only a user who is signed in can let a device in");
	STET_TRY(device_find(call, stet_arg(call, "user_code"), &device));
	STET_TRY(device_decide(call, &device, approve ? device_scopes(call, &device) : NULL));
	stet_object(out, NULL);
	stet_put_bool(out, "authorized", approve);
	stet_close(out);
	return STET_OK;
}
