/*
 * vault.h - the key of a site in memory, and what it seals (<stet/vault.h>).
 *
 * The database says by the id of a key which one its values are sealed with (table site_key). When
 * the file has no such key, nothing is sealed or opened: the site serves its content, and doctor
 * and the log say what is wrong.
 */
#ifndef CORE_VAULT_H
#define CORE_VAULT_H

#include "call/call.h"
#include "work/sitekey.h"
#include <stet/vault.h>

/*
 * Read the key and the database's word on it, unless that was done and went well. A site that has
 * never had a key gets one. While `compiling` is held, after the core's migrations; `broken` if
 * they failed. What is wrong is logged, and kept for vault_problem.
 */
void vault_settle(struct site *, bool broken);
/* Why nothing can be sealed, to be freed; NULL: it can. */
char *vault_problem(struct site *);
/* Take the key of the file, whatever the database says: what another key sealed is lost. A file of
 * our own that is missing is made. false: *why, to be freed. */
bool vault_adopt(struct site *, char **why);
void vault_free(struct site *);

/* Change what the database says, in a transaction. */
enum stet_status vault_record(struct stet_call *, struct stet_tx *, const struct sitekey *);

/* ---- values, without a site that is open ---- */

/* What a sealed value belongs to. */
struct vault_place {
	const char *table, *column, *row;
};
/* The sealed text; to be freed. */
char *vault_close_value(
    const struct sitekey *, const struct vault_place *, const void *value, size_t len);
/* Open with the key that it names. NULL: *why, to be freed. Otherwise to be freed with
 * vault_drop; a NUL byte follows. */
char *vault_open_value(const struct sitekeys *, const struct vault_place *, const char *sealed,
    size_t *len, char **why);
void vault_drop(char *value, size_t len);

#endif
