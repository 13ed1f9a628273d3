/* audit.h - what the files of the module share: the record, the chain, the operations. */
#ifndef MODULES_AUDIT_H
#define MODULES_AUDIT_H

#include <stet/module.h>

#define HASH_BYTES 32
#define HASH_SIZE (2 * HASH_BYTES + 1) /* as text, with its NUL */
#define PRUNED "audit_prune" /* the op of the record that retention leaves */
#define RESUMED "audit_resume" /* of the record that tells since when the module was off */

/* What a record says beside who, when and whence. NULL: nothing. */
struct record {
	const char *op, *module;
	const char *names, *changed; /* JSON */
	const char *subject, *result;
	const char *outcome; /* NULL: success */
	const char *reason;
};

/* A place in the chain. */
struct link {
	int64_t seq;
	char hash[HASH_SIZE];
};

/* chain.c. Columns of a record that its hash covers, in their order; the hash is the column after
 * them. */
#define RECORD_COLUMNS                                                                          \
	"seq, created_at, actor, actor_email, token, via, op, module, names, subject, result, " \
	"changed, outcome, reason, client, request"
enum {
	R_SEQ,
	R_TIME,
	R_ACTOR,
	R_EMAIL,
	R_TOKEN,
	R_VIA,
	R_OP,
	R_MODULE,
	R_NAMES,
	R_SUBJECT,
	R_RESULT,
	R_CHANGED,
	R_OUTCOME,
	R_REASON,
	R_CLIENT,
	R_REQUEST,
	R_HASH
};
/* The hash of a record, given that of the one before. */
void chain_hash(const char *before, const struct stet_val value[R_HASH], char out[HASH_SIZE]);
/* From a row that begins with seq and hash. */
void link_read(struct stet_rows *, struct link *);
/* The last record; of an empty log the anchor. */
STET_MUST enum stet_status chain_head(struct stet_call *, struct link *);
/* What the oldest record goes on from. */
STET_MUST enum stet_status chain_anchor(struct stet_call *, struct link *);
STET_MUST enum stet_status chain_append(
    struct stet_call *, struct stet_tx *, const struct record *);
/* Of migration 1: an anchor that no other site has. */
STET_MUST enum stet_status chain_begin(struct stet_call *, struct stet_tx *);

/* subject.c. What the op wrote, from its arguments and its result: never a value but names and ids.
 */
void subject_of(struct stet_call *, const struct stet_written *, struct record *);

/* list.c */
extern const struct stet_member list_in[], list_out[];
enum stet_status audit_list(struct stet_call *);

/* verify.c */
extern const struct stet_member verify_in[], verify_out[];
enum stet_status audit_verify(struct stet_call *); /* tells the problems */
enum stet_status audit_prove(struct stet_call *); /* fails when there are any */

/* retention.c */
#define RETENTION_DAYS "retentionDays"
#define RETENTION_RECORDS "retentionRecords"
struct audit_state {
	_Atomic int64_t due; /* when it is looked for what is to go; 0: at once */
};
int64_t retention_due(struct stet_call *);
enum stet_status retention_run(struct stet_call *);

/* resume.c */
int64_t resume_due(struct stet_call *);
enum stet_status resume_run(struct stet_call *);

#endif
