/*
 * chain.c - the chain of records: the hash of each record covers the record and the hash before
 * it (BLAKE2b). To change, remove or insert a record, all later hashes must be changed as well;
 * a copy of the last hash that is kept elsewhere then shows it.
 */
#include "audit.h"
#include <sodium.h>
#include <stet/history.h>
#include <string.h>

/* ---- hashes ---- */

static void
mix_number(crypto_generichash_state *state, unsigned char tag, uint64_t n)
{
	unsigned char bytes[9] = { tag };

	for (size_t i = 1; i < sizeof(bytes); i++, n >>= 8)
		bytes[i] = (unsigned char)n;
	crypto_generichash_update(state, bytes, sizeof(bytes));
}

/* Mixes in the length before a text, and NULL unlike "", so that two different records never
 * give the same bytes. */
static void
mix(crypto_generichash_state *state, const struct stet_val *value)
{
	switch (value->type) {
	case STET_V_INT:
		mix_number(state, 'i', (uint64_t)value->u.i);
		return;
	case STET_V_TEXT:
		mix_number(state, 't', value->len);
		crypto_generichash_update(state, (const unsigned char *)value->u.s, value->len);
		return;
	default:
		mix_number(state, 'n', 0);
	}
}

/* Returns true if the record has any of the columns that say how a token was used. */
static bool
says_assistant(const struct stet_val value[R_HASH])
{
	for (int i = R_CLIENT_NAME; i < R_HASH; i++)
		if (value[i].type == STET_V_TEXT)
			return true;
	return false;
}

void
chain_hash(const char *before, const struct stet_val value[R_HASH], char out[HASH_SIZE])
{
	unsigned char hash[HASH_BYTES];
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, sizeof(hash));
	crypto_generichash_update(&state, (const unsigned char *)before, strlen(before));
	for (int i = 0; i < (says_assistant(value) ? R_HASH : R_CLIENT_NAME); i++)
		mix(&state, &value[i]);
	crypto_generichash_final(&state, hash, sizeof(hash));
	sodium_bin2hex(out, HASH_SIZE, hash, sizeof(hash));
}

/* ---- the ends of the chain ---- */

void
link_read(struct stet_rows *rows, struct link *out)
{
	const char *hash = stet_col_str(rows, 1);

	*out = (struct link){ .seq = stet_col_int(rows, 0) };
	if (hash != NULL) /* the column may contain any text if somebody tampered with it */
		memccpy(out->hash, hash, '\0', sizeof(out->hash) - 1);
}

enum stet_status
chain_anchor(struct stet_call *call, struct link *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT seq, hash FROM audit_anchor WHERE id = 1", STET_NO_ARGS));
	if (stet_row(&rows)) {
		link_read(&rows, out);
		return stet_rows_end(&rows);
	}
	STET_TRY(stet_rows_end(&rows));
	return stet_fault(call, "the anchor of the audit log is gone");
}

/* The last link, kept in the write lane until somebody else writes the log. */
static void **
head_slot(struct stet_call *call)
{
	static const char key;

	return stet_tx_slot(call, &key, "audit_log audit_anchor");
}

static void
keep_head(struct stet_call *call, const struct link *head)
{
	void **slot = head_slot(call);
	struct link *kept;

	if (slot == NULL)
		return;
	kept = *slot = stet_tx_alloc(call, sizeof(*kept));
	*kept = *head;
}

static enum stet_status
read_head(struct stet_call *call, struct link *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT seq, hash FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)",
	    STET_NO_ARGS));
	if (stet_row(&rows)) {
		link_read(&rows, out);
		return stet_rows_end(&rows);
	}
	STET_TRY(stet_rows_end(&rows));
	return chain_anchor(call, out);
}

enum stet_status
chain_head(struct stet_call *call, struct link *out)
{
	void **slot = head_slot(call);

	if (slot != NULL && *slot != NULL) {
		*out = *(struct link *)*slot;
		return STET_OK;
	}
	return read_head(call, out);
}

enum stet_status
chain_begin(struct stet_call *call, struct stet_tx *tx)
{
	unsigned char hash[HASH_BYTES];
	char text[HASH_SIZE];

	randombytes_buf(hash, sizeof(hash));
	sodium_bin2hex(text, sizeof(text), hash, sizeof(hash));
	return stet_exec(call, tx, "INSERT INTO audit_anchor (id, seq, hash) VALUES (1, 0, ?1)",
	    STET_ARGS((const char *)text));
}

/* ---- appending ---- */

static void
add_actor(struct stet_call *call, struct stet_val *value)
{
	static const char *const via[] = { [STET_VIA_TOKEN] = "token",
		[STET_VIA_SESSION] = "session",
		[STET_VIA_COMMAND] = "command",
		[STET_VIA_SYSTEM] = "system" };
	const struct stet_principal *p = stet_principal(call);

	value[R_VIA] = stet_val_str(p != NULL ? via[p->via] : "anonymous");
	if (p == NULL || *p->id == '\0')
		return;
	value[R_ACTOR] = stet_val_str(p->id);
	value[R_EMAIL] = stet_val_str(p->email);
	value[R_TOKEN] = stet_val_str(p->token_id);
	if (p->via == STET_VIA_TOKEN)
		value[R_CLIENT_NAME] = stet_val_str(p->client);
}

/* Adds the tool that an assistant has called, and the session of its writes. */
static enum stet_status
add_session(struct stet_call *call, struct stet_val value[R_HASH])
{
	const struct stet_history_1 *history = stet_service(call, STET_HISTORY_1);
	const char *session = NULL;

	value[R_TOOL] = stet_val_str(stet_tool_name(call));
	if (history != NULL)
		STET_TRY(history->session(call, &session));
	value[R_SESSION] = stet_val_str(session);
	return STET_OK;
}

/* Knows the last link from the transaction that writes the record. A record that is rolled back is
 * therefore no part of the chain, and if the write is run again it continues from the stored
 * end. */
enum stet_status
chain_append(struct stet_call *call, struct stet_tx *tx, const struct record *r)
{
	struct stet_val value[R_HASH + 1] = { 0 };
	struct link head;
	char hash[HASH_SIZE];
	const char *client = stet_client(call);

	STET_TRY(chain_head(call, &head));
	value[R_SEQ] = stet_val_int(head.seq + 1);
	value[R_TIME] = stet_val_str(stet_time_text(call, stet_now(call)));
	add_actor(call, value);
	value[R_OP] = stet_val_str(r->op);
	value[R_MODULE] = stet_val_str(r->module);
	value[R_NAMES] = stet_val_str(r->names);
	value[R_SUBJECT] = stet_val_str(r->subject);
	value[R_RESULT] = stet_val_str(r->result);
	value[R_CHANGED] = stet_val_str(r->changed);
	value[R_OUTCOME] = stet_val_str(r->outcome != NULL ? r->outcome : "success");
	value[R_REASON] = stet_val_str(r->reason);
	value[R_CLIENT] = stet_val_str(*client != '\0' ? client : NULL);
	value[R_REQUEST] = stet_val_str(stet_call_id(call));
	STET_TRY(add_session(call, value));
	chain_hash(head.hash, value, hash);
	value[R_HASH] = stet_val_str(hash);
	STET_TRY(stet_exec_later(call, tx, STET_LATER_ROW, "audit_log",
	    "INSERT INTO audit_log (" RECORD_COLUMNS ", hash) VALUES"
	    " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,"
	    " ?18, ?19, ?20)",
	    value, R_HASH + 1));
	head.seq++;
	memcpy(head.hash, hash, HASH_SIZE);
	keep_head(call, &head);
	return STET_OK;
}
