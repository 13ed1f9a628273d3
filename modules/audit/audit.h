/* audit.h - what the files of the audit module share: the record, the chain, the ops. */
#ifndef MODULES_AUDIT_H
#define MODULES_AUDIT_H

#include <stet/module.h>
#include <stet/vault.h>

#define HASH_BYTES 32
#define HASH_SIZE (2 * HASH_BYTES + 1) /* as text, with its NUL */
#define PRUNED "audit_prune" /* the op of the record that retention writes about itself */
#define SIGNED_ANEW "audit_sign" /* the op of the record about signing a log without a head */
#define RESUMED "audit_resume" /* the op of the record about the time that the module was off */

/* The members of a record that the caller sets; chain_append adds user and time. NULL: none. */
struct record {
	const char *op, *module;
	const char *names, *changed; /* JSON */
	const char *subject, *result;
	const char *outcome; /* NULL: success */
	const char *reason;
};

/* A position in the chain. */
struct link {
	int64_t seq;
	char hash[HASH_SIZE];
};

/* chain.c. The columns of a record that its hash covers, in order; the hash is the column after
 * them. */
#define RECORD_COLUMNS                                                                          \
	"seq, created_at, actor, actor_email, token, via, op, module, names, subject, result, " \
	"changed, outcome, reason, client, request, client_name, tool, session"
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
	/* Columns of migration 3: the hash covers them if one of them is not NULL, since records
	 * from before have hashes without them. */
	R_CLIENT_NAME,
	R_TOOL,
	R_SESSION,
	R_HASH
};
/* The hash of a record, from the hash of the record before it. */
void chain_hash(const char *before, const struct stet_val value[R_HASH], char out[HASH_SIZE]);
/* Reads a link from a row that begins with seq and hash. */
void link_read(struct stet_rows *, struct link *);
/* Reads the link of the last record; for an empty log the anchor. */
STET_MUST enum stet_status chain_head(struct stet_call *, struct link *);
/* The link before the oldest record: the beginning of the chain, or the last record that was
 * deleted. */
STET_MUST enum stet_status chain_anchor(struct stet_call *, struct link *);
STET_MUST enum stet_status chain_append(
    struct stet_call *, struct stet_tx *, const struct record *);
/* For migration 1: makes a random anchor, different on every site. */
STET_MUST enum stet_status chain_begin(struct stet_call *, struct stet_tx *);

/* subject.c. Finds what the op wrote, from its arguments and its result. Records names and ids,
 * never other values. */
void subject_of(struct stet_call *, const struct stet_written *, struct record *);

/* list.c */
extern const struct stet_member list_in[], list_out[];
enum stet_status audit_list(struct stet_call *);

/* ---- tool.c ---- */

extern const struct stet_member tool_in[], tool_out[];
enum stet_status audit_log(struct stet_call *);

/* verify.c */
extern const struct stet_member verify_in[], verify_out[];
enum stet_status audit_verify(struct stet_call *); /* lists the problems */
enum stet_status audit_prove(struct stet_call *); /* fails if there are problems */

/* retention.c */
#define RETENTION_DAYS "retentionDays"
#define RETENTION_RECORDS "retentionRecords"
struct audit_state {
	_Atomic int64_t due; /* time of the next check for old records; 0: now */
	_Atomic int64_t head_due; /* when to sign the head next */
	bool head_told; /* it was logged that the signed head is missing; used only by the job */
};
int64_t retention_due(struct stet_call *);
enum stet_status retention_run(struct stet_call *);

/* head.c: the signed head of the log */
#define HEAD_MIGRATION \
	"CREATE TABLE audit_head (id INTEGER PRIMARY KEY CHECK (id = 1), sealed TEXT)"
extern const struct stet_sealed_column head_sealed;
/* For the migration: signs the present log. */
STET_MUST enum stet_status head_begin(struct stet_call *, struct stet_tx *);
/* Tests that the signed record is still in the log. *why says what is wrong; NULL: nothing. */
STET_MUST enum stet_status head_judge(struct stet_call *, const char **why);
enum stet_status head_check(struct stet_call *); /* for `stet doctor` */
extern const struct stet_member head_in[], head_out[];
enum stet_status head_sign(struct stet_call *);
int64_t head_due(struct stet_call *);
enum stet_status head_run(struct stet_call *);

/* resume.c */
int64_t resume_due(struct stet_call *);
enum stet_status resume_run(struct stet_call *);

#endif
