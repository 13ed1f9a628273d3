/*
 * vault.h - the key of a site in memory, and sealing and opening values with it (<stet/vault.h>).
 *
 * The table site_key names the key with which the database's values are sealed. If the key file
 * does not have that key, nothing is sealed or opened: the site still serves its content, and
 * doctor and the log report the problem.
 */
#ifndef CORE_VAULT_H
#define CORE_VAULT_H

#include "call/call.h"
#include "secrets/sitekey.h"
#include <stet/vault.h>

/* Reads the key file and the table site_key, unless that has succeeded before. A site that never
 * had a key gets one. Must be called while `compiling` is held, after the core's migrations;
 * `broken` if they failed. A problem is logged and kept for vault_problem. */
void vault_settle(struct site *, bool broken);
/* Returns why values cannot be sealed, to be freed; NULL: they can. */
char *vault_problem(struct site *);
/* Uses the key of the file, whatever the database says: values sealed with another key are lost.
 * If DATA/key is missing, it is created. Returns false with *why on error, to be freed. */
bool vault_adopt(struct site *, char **why);
void vault_free(struct site *);

/* Records in the database, in a transaction, that this key seals its values. */
enum stet_status vault_record(struct stet_call *, struct stet_tx *, const struct sitekey *);

/* ---- values of a site that is not open ---- */

/* Where a sealed value is stored. */
struct vault_place {
	const char *table, *column, *row;
};
/* Seals a value. Returns text, to be freed. */
char *vault_close_value(
    const struct sitekey *, const struct vault_place *, const void *value, size_t len);
/* Opens a value with the key that it names. Returns NULL with *why on error, to be freed. The
 * result ends with a NUL byte and is freed with vault_drop. */
char *vault_open_value(const struct sitekeys *, const struct vault_place *, const char *sealed,
    size_t *len, char **why);
void vault_drop(char *value, size_t len);

#endif
