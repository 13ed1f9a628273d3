/* idempotency.c - stores keys of requests with their answers, and answers repeated requests. */
#include "op/idempotency.h"
#include "base/buf.h"
#include "base/clock.h"
#include "call/error.h"
#include "http/http1.h"
#include "op/part.h"
#include <sodium.h>
#include <string.h>

#define DIGEST_BYTES 32
#define SWEEP_MAX "16" /* expired keys that each new key deletes */

struct idempotency {
	const char *principal, *key;
	unsigned char digest[DIGEST_BYTES]; /* hash of the request */
	enum stet_status outcome; /* status of the handler if its failure is stored */
	/* The stored answer. */
	bool found;
	int status;
	const char *type, *etag, *headers, *body;
	size_t len;
	bool secret; /* the body was not stored */
};

/* ---- the request ---- */

static void
mix(crypto_generichash_state *state, const void *p, size_t len)
{
	uint64_t size = len;

	crypto_generichash_update(state, (const unsigned char *)&size, sizeof(size));
	crypto_generichash_update(state, p, len);
}

static void
mix_text(crypto_generichash_state *state, const char *text)
{
	mix(state, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 0);
}

/* Hashes everything that decides what the request does. Of the headers that is only If-Match, which
 * may replace _rev. */
static void
digest(const struct stet_call *call, const char *body, size_t len, unsigned char *out)
{
	const struct http1_head *head = call->head;
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, DIGEST_BYTES);
	mix_text(&state, http1_method_name[head->method]);
	mix_text(&state, head->path);
	mix_text(&state, head->query);
	mix_text(&state, http1_header(head, "if-match"));
	mix(&state, body != NULL ? body : "", len);
	crypto_generichash_final(&state, out, DIGEST_BYTES);
}

static bool
good_key(const char *key)
{
	size_t len = strlen(key);

	for (const char *c = key; *c != '\0'; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return len > 0 && len <= IDEMPOTENCY_KEY_MAX;
}

static int
keys(const struct http1_head *head)
{
	int count = 0;

	for (size_t i = 0; i < head->header_count; i++)
		count += strcmp(head->header[i].name, "idempotency-key") == 0;
	return count;
}

/* Returns the owner of the key. Anonymous callers are distinguished by address, so that none gets
 * another's response or is blocked by another's key. */
static const char *
owner_of(struct stet_call *call)
{
	if (call->has_principal && *call->principal.id != '\0')
		return call->principal.id;
	return stet_printf(call, "@%s", call->client);
}

enum stet_status
idempotency_begin(struct stet_call *call, const char *body, size_t len)
{
	const struct stet_op *row = &call->op->row;
	struct idempotency *idem;
	const char *key;

	if (row->lane != STET_WRITE || call->head->method == HTTP_GET ||
	    call->head->method == HTTP_HEAD ||
	    (key = http1_header(call->head, "idempotency-key")) == NULL)
		return STET_OK;
	if (!good_key(key))
		return stet_fail(call, STET_VALIDATION_ERROR, "Idempotency-Key",
		    "must be 1 to %d visible ASCII characters", IDEMPOTENCY_KEY_MAX);
	if (keys(call->head) != 1)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "Idempotency-Key", "must be sent once");
	if ((row->flags & (STET_SPOOL | STET_MULTIPART)) != 0)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "Idempotency-Key", "is not taken with an upload");
	idem = stet_alloc(call, sizeof(*idem));
	idem->principal = owner_of(call);
	idem->key = key;
	digest(call, body, len, idem->digest);
	op_part(call)->idempotency = idem;
	return STET_OK;
}

/* ---- the stored answer ---- */

static enum stet_status
look_up(struct stet_call *call, struct idempotency *idem, bool *same)
{
	struct stet_rows rows;
	const unsigned char *stored;
	const void *body;
	size_t len;

	STET_TRY(stet_query(call, &rows,
	    "SELECT digest, status, type, etag, headers, body FROM idempotency"
	    " WHERE principal = ?1 AND key = ?2 AND created_at > ?3",
	    STET_ARGS(
		idem->principal, idem->key, stet_time_text(call, clock_now() - IDEMPOTENCY_MS))));
	idem->found = stet_row(&rows);
	if (!idem->found)
		return stet_rows_end(&rows);
	stored = stet_col_blob(&rows, 0, &len);
	*same = len == DIGEST_BYTES && memcmp(stored, idem->digest, len) == 0;
	idem->status = (int)stet_col_int(&rows, 1);
	idem->type = stet_col_dup(&rows, 2);
	idem->etag = stet_col_dup(&rows, 3);
	idem->headers = stet_col_dup(&rows, 4);
	idem->secret = stet_col_null(&rows, 5);
	body = stet_col_blob(&rows, 5, &len);
	idem->body = stet_strndup(call, body != NULL ? body : "", body != NULL ? len : 0);
	idem->len = len;
	return stet_rows_end(&rows);
}

static enum stet_status
answer_again(struct stet_call *call, struct idempotency *idem, bool same)
{
	if (same && !idem->secret)
		return STET_OK;
	idem->found = false;
	if (!same)
		return stet_fail(call, STET_CONFLICT, "Idempotency-Key",
		    "This key came with another request before: a new request needs a new key");
	return stet_fail(call, STET_CONFLICT, "Idempotency-Key",
	    "This request has been carried out. Its answer held a secret, which is not kept: undo "
	    "what it made, and ask again with a new key");
}

enum stet_status
idempotency_find(struct stet_call *call, bool *found)
{
	struct idempotency *idem = op_part(call)->idempotency;
	bool same = false;

	*found = false;
	idem->found = false; /* this may be a second run */
	idem->outcome = STET_OK;
	STET_TRY(look_up(call, idem, &same));
	if (!idem->found)
		return STET_OK;
	STET_TRY(answer_again(call, idem, same));
	*found = true;
	return STET_OK;
}

bool
idempotency_lasts(const struct stet_call *call)
{
	int http = stet_status_http(error_outcome(call));

	return http >= 400 && http < 500 && http != 408 && http != 429;
}

static const char *
headers_text(struct stet_call *call)
{
	struct buf b = { 0 };
	char *text;

	if (call->reply.headers == NULL)
		return NULL;
	for (const struct call_pair *p = call->reply.headers; p != NULL; p = p->next)
		buf_printf(&b, "%s:%s\n", p->name, p->value);
	text = stet_strndup(call, b.data, b.len);
	buf_free(&b);
	return text;
}

/* The body as bytes, as it was sent. */
static struct stet_val
body_of(struct stet_call *call, const struct rendered *r)
{
	size_t prefix = strlen(r->prefix), suffix = strlen(r->suffix);
	char *text;

	if (call->error.status == STET_OK && (call->op->row.flags & STET_SECRET) != 0)
		return stet_val_null();
	text = stet_alloc(call, prefix + r->len + suffix + 1);
	memcpy(text, r->prefix, prefix);
	if (r->len > 0)
		memcpy(text + prefix, r->data, r->len);
	memcpy(text + prefix + r->len, r->suffix, suffix);
	return stet_val_blob(text, prefix + r->len + suffix);
}

enum stet_status
idempotency_store(
    struct stet_call *call, struct stet_tx *tx, enum stet_status outcome, const struct rendered *r)
{
	struct idempotency *idem = op_part(call)->idempotency;
	int64_t now = clock_now();

	idem->outcome = outcome;
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO idempotency (principal, key, digest, status, type, etag, headers, body,"
	    " created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
	    " ON CONFLICT (principal, key) DO UPDATE SET digest = excluded.digest,"
	    " status = excluded.status, type = excluded.type, etag = excluded.etag,"
	    " headers = excluded.headers, body = excluded.body,"
	    " created_at = excluded.created_at",
	    STET_ARGS(idem->principal, idem->key, stet_val_blob(idem->digest, DIGEST_BYTES),
		r->status, r->type, r->etag, headers_text(call), body_of(call, r),
		stet_time_text(call, now))));
	return stet_exec(call, tx,
	    "DELETE FROM idempotency WHERE (principal, key) IN (SELECT principal, key"
	    " FROM idempotency WHERE created_at <= ?1 ORDER BY created_at LIMIT " SWEEP_MAX ")",
	    STET_ARGS(stet_time_text(call, now - IDEMPOTENCY_MS)));
}

enum stet_status
idempotency_outcome(const struct stet_call *call, enum stet_status status)
{
	if (status != STET_OK || op_part(call)->idempotency == NULL)
		return status;
	return op_part(call)->idempotency->outcome;
}

/* ---- the answer ---- */

/* Reads headers from lines "Name:value". */
static struct call_pair *
headers_read(struct stet_call *call, const char *text)
{
	struct call_pair *first = NULL, **tail = &first;

	while (text != NULL && *text != '\0') {
		size_t len = strcspn(text, "\n"), name = strcspn(text, ":");
		struct call_pair *p = stet_alloc(call, sizeof(*p));

		p->name = stet_strndup(call, text, name);
		p->value = stet_strndup(call, text + name + 1, len - name - 1);
		*tail = p;
		tail = &p->next;
		text += len + 1;
	}
	return first;
}

bool
idempotency_render(struct stet_call *call, struct rendered *r)
{
	const struct idempotency *idem = op_part(call)->idempotency;
	struct call_pair *mark;

	if (idem == NULL || !idem->found || call->error.status != STET_OK)
		return false;
	mark = stet_alloc(call, sizeof(*mark));
	*mark = (struct call_pair){ .next = headers_read(call, idem->headers),
		.name = "Idempotency-Replayed",
		.value = "true" };
	*r = (struct rendered){ .status = idem->status,
		.type = idem->type,
		.prefix = "",
		.suffix = "",
		.data = idem->body,
		.len = idem->len,
		.etag = idem->etag,
		.headers = mark };
	return true;
}
