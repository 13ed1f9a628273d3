/*
 * target.c - the targets of webhooks: their URLs, the events they subscribe to, and their
 * secrets.
 */
#include "webhooks.h"
#include <sodium.h>
#include <stet/fetch.h>
#include <string.h>

#define TARGETS_MAX 50
#define URL_LENGTH 2048
#define NOTE_LENGTH 200
#define NAMES_MAX 50
#define SECRET_PREFIX "whsec_"
#define SECRET_BYTES 32

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)
#define NAMES (STET_REQUIRED | STET_STORED_JSON)

static const struct stet_member target[] = {
	{ "id", STET_STRING, HAS },
	{ "url", STET_STRING, HAS },
	{ "description", STET_STRING, MAY_BE_NULL },
	{ "events", STET_ARRAY, NAMES, "What it hears; none: everything", .item = STET_STRING },
	{ "collections", STET_ARRAY, NAMES, "Of what; none: of everything", .item = STET_STRING },
	{ "enabled", STET_BOOLEAN, HAS, "What happens while it is not is never sent" },
	{ "disabledReason", STET_STRING, MAY_BE_NULL, "Why the daemon has disabled it" },
	{ "failures", STET_INTEGER, HAS, "Attempts that failed since the last good one" },
	{ "nextAttemptAt", STET_TIME, MAY_BE_NULL, "null: nothing waits, or it is disabled" },
	{ "lastSuccessAt", STET_TIME, MAY_BE_NULL },
	{ "lastFailureAt", STET_TIME, MAY_BE_NULL },
	{ "createdAt", STET_TIME, HAS },
	{ "updatedAt", STET_TIME, HAS },
	{ "waiting", STET_INTEGER, HAS, "Deliveries that wait" },
	{ "oldestWaitingAt", STET_TIME, MAY_BE_NULL, "When the oldest of them happened" },
	{ "lastError", STET_STRING, MAY_BE_NULL, "Of the last attempt that failed" },
	{ 0 },
};
#define TARGET_COLUMNS                                                                       \
	"SELECT id, url, description, events, collections, enabled, disabled_reason,"        \
	" failures, CASE WHEN enabled = 1 THEN due_at END, succeeded_at, failed_at,"         \
	" created_at, updated_at, waiting,"                                                  \
	" (SELECT MIN(d.created_at) FROM webhook_delivery d WHERE d.webhook_id = webhook.id" \
	" AND d.state = 'pending'), last_error FROM webhook "

const struct stet_member targets_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = target },
	{ 0 },
};
const struct stet_member target_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = target },
	{ 0 },
};
const struct stet_member target_secret_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = target },
	{ "secret", STET_STRING, STET_REQUIRED, "Key of the signatures; it is not shown again" },
	{ 0 },
};
const struct stet_member target_done_out[] = { { "deleted", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

/* clang-format off */
#define ID { "id", STET_STRING, STET_REQUIRED, "Id of the target", STET_RANGE(1, 100) }
#define WANTS \
	{ "description", STET_STRING, STET_NULLABLE, "For people", STET_RANGE(0, NOTE_LENGTH) }, \
	{ "events", STET_ARRAY, 0, "Names such as content.publish, or families such as content.*; " \
	    "none: everything", .item = STET_STRING, STET_RANGE(0, NAMES_MAX) }, \
	{ "collections", STET_ARRAY, 0, "Slugs of collections; none: all, and what belongs to none", \
	    .item = STET_STRING, STET_RANGE(0, NAMES_MAX) }
#define ENABLED "enabled", STET_BOOLEAN, 0, "Is it sent anything?"
/* clang-format on */
const struct stet_member target_by_id[] = { ID, { 0 } };
const struct stet_member target_create_in[] = {
	{ "url", STET_STRING, STET_REQUIRED, "An https URL", STET_RANGE(1, URL_LENGTH) },
	WANTS,
	{ ENABLED, .fallback = "true" },
	{ 0 },
};
const struct stet_member target_update_in[] = {
	ID,
	{ "url", STET_STRING, 0, "An https URL", STET_RANGE(1, URL_LENGTH) },
	WANTS,
	{ ENABLED },
	{ 0 },
};

/* ---- read ---- */

static enum stet_status
find(struct stet_call *call, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_query(call, rows, TARGET_COLUMNS "WHERE id = ?1", STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "Webhook not found: %s", id);
}

enum stet_status
target_check(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(find(call, id, &rows));
	return stet_rows_end(&rows);
}

/* Writes the target as the reply. With `secret`, adds the secret, which is never shown again. */
static enum stet_status
answer(struct stet_call *call, const char *id, const char *secret)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(find(call, id, &rows));
	stet_object(out, NULL);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, target, (int)(sizeof(target) / sizeof(target[0])) - 1);
	stet_close(out);
	if (secret != NULL)
		stet_put_str(out, "secret", secret);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
target_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, TARGET_COLUMNS "ORDER BY created_at, id", STET_NO_ARGS));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, target));
	stet_close(out);
	return STET_OK;
}

enum stet_status
target_get(struct stet_call *call)
{
	return answer(call, stet_arg(call, "id"), NULL);
}

/* ---- validating requests ---- */

static void
check_url(struct stet_call *call)
{
	const char *url = stet_arg(call, "url");
	const char *why = url != NULL ? stet_fetch_refuses(call, url) : NULL;

	if (why != NULL)
		stet_issue(call, "url", "%s", why);
}

static void
check_events(struct stet_call *call)
{
	const json_t *list = stet_arg_json(call, "events");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));

		if (!event_known(name))
			stet_issue(call, stet_printf(call, "events[%zu]", i),
			    "there is no event \"%s\"; there are %s", name, event_names(call));
	}
}

static enum stet_status
check_collections(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const json_t *list = stet_arg_json(call, "collections");
	const struct stet_collection *const *all;
	size_t count, k;

	if (json_array_size(list) == 0)
		return STET_OK;
	STET_TRY(schema->collections(call, &all, &count));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *slug = json_string_value(json_array_get(list, i));

		for (k = 0; k < count && strcmp(all[k]->slug, slug) != 0; k++)
			continue;
		if (k == count)
			stet_issue(call, stet_printf(call, "collections[%zu]", i),
			    "there is no collection \"%s\"", slug);
	}
	return STET_OK;
}

static enum stet_status
check(struct stet_call *call)
{
	check_url(call);
	check_events(call);
	STET_TRY(check_collections(call));
	return stet_issues(call);
}

/* Returns a list of names as the database stores it; NULL if the argument is absent. */
static const char *
names(struct stet_call *call, const char *member)
{
	struct stet_json *text;

	if (!stet_has(call, member))
		return NULL;
	text = stet_json_new(call);
	stet_put_json(text, NULL, stet_arg_json(call, member));
	return stet_json_text(text, NULL);
}

static const char *
new_secret(struct stet_call *call)
{
	unsigned char bytes[SECRET_BYTES];
	char
	    text[sodium_base64_ENCODED_LEN(SECRET_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING)];
	const char *secret;

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2base64(
	    text, sizeof(text), bytes, sizeof(bytes), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	secret = stet_printf(call, SECRET_PREFIX "%s", text);
	sodium_memzero(bytes, sizeof(bytes));
	sodium_memzero(text, sizeof(text));
	return secret;
}

/* ---- sealing the secret ---- */

static const struct stet_sealed_column place = TARGET_SECRET;

static enum stet_status
seal(struct stet_call *call, const char *id, const char *secret, const char **sealed)
{
	return stet_seal(call, stet_write_tx(call), &place, id, secret, strlen(secret), sealed);
}

enum stet_status
target_secret(struct stet_call *call, const char *id, const char *sealed, const char **secret)
{
	return stet_unseal(call, &place, id, sealed, secret, NULL);
}

struct clear {
	const char *id, *secret;
};

enum stet_status
target_seal_all(struct stet_call *call, struct stet_tx *tx)
{
	struct stet_rows rows;
	struct clear *found;
	const char *sealed;
	size_t count = 0, all;

	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT COUNT(*) FROM webhook", STET_NO_ARGS));
	all = (size_t)stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	found = stet_alloc(call, (all + 1) * sizeof(*found));
	STET_TRY(stet_query(call, &rows, "SELECT id, secret FROM webhook", STET_NO_ARGS));
	while (stet_row(&rows) && count < all)
		found[count++] = (struct clear){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1) };
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(stet_seal(call, tx, &place, found[i].id, found[i].secret,
		    strlen(found[i].secret), &sealed));
		STET_TRY(stet_exec(call, tx, "UPDATE webhook SET secret = ?2 WHERE id = ?1",
		    STET_ARGS(found[i].id, sealed)));
	}
	return STET_OK;
}

/* ---- writing ---- */

static enum stet_status
check_room(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT COUNT(*) FROM webhook", STET_NO_ARGS));
	if (stet_col_int(&rows, 0) >= TARGETS_MAX)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "A site has %d webhooks at most: delete one first", TARGETS_MAX);
	return stet_rows_end(&rows);
}

enum stet_status
target_create(struct stet_call *call)
{
	const char *id = stet_id(call), *secret = new_secret(call), *sealed;
	const char *events = names(call, "events"), *collections = names(call, "collections");

	STET_TRY(check(call));
	STET_TRY(check_room(call));
	STET_TRY(seal(call, id, secret, &sealed));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO webhook (id, url, description, events, collections, secret, enabled,"
	    " created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
	    STET_ARGS(id, stet_arg(call, "url"), stet_arg(call, "description"),
		events != NULL ? events : "[]", collections != NULL ? collections : "[]", sealed,
		(int64_t)stet_arg_bool(call, "enabled"), stet_time_text(call, stet_now(call)))));
	return answer(call, id, secret);
}

enum stet_status
target_update(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct stet_val enabled = stet_val_null();

	STET_TRY(check(call));
	STET_TRY(target_check(call, id));
	if (stet_has(call, "enabled"))
		enabled = stet_val_int(stet_arg_bool(call, "enabled"));
	/* Setting `enabled`, to either value, resets the failures. */
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE webhook SET url = COALESCE(?2, url),"
	    " description = CASE WHEN ?3 = 1 THEN ?4 ELSE description END,"
	    " events = COALESCE(?5, events), collections = COALESCE(?6, collections),"
	    " enabled = COALESCE(?7, enabled),"
	    " disabled_reason = CASE WHEN ?7 IS NULL THEN disabled_reason END,"
	    " failures = CASE WHEN ?7 IS NULL THEN failures ELSE 0 END,"
	    " updated_at = ?8 WHERE id = ?1",
	    STET_ARGS(id, stet_arg(call, "url"), (int64_t)stet_has(call, "description"),
		stet_arg(call, "description"), names(call, "events"), names(call, "collections"),
		enabled, stet_time_text(call, stet_now(call)))));
	STET_TRY(queue_wake(call, stet_write_tx(call), id));
	return answer(call, id, NULL);
}

enum stet_status
target_rotate(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *secret = new_secret(call), *sealed;

	STET_TRY(target_check(call, id));
	STET_TRY(seal(call, id, secret, &sealed));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE webhook SET secret = ?2, updated_at = ?3 WHERE id = ?1",
	    STET_ARGS(id, sealed, stet_time_text(call, stet_now(call)))));
	return answer(call, id, secret);
}

enum stet_status
target_delete(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct stet_json *out = stet_reply(call);

	STET_TRY(target_check(call, id));
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM webhook WHERE id = ?1", STET_ARGS(id)));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
