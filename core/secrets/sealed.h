/*
 * sealed.h - all sealed (encrypted) values of a site: the columns that modules list in the table
 * `sealed` of their descriptors, and those of the core (`own`, struct stet_sealed_column). This
 * covers all loaded modules, enabled or not.
 */
#ifndef CORE_SEALED_H
#define CORE_SEALED_H

#include "secrets/vault.h"
#include <jansson.h>
#include <stet/module.h>

/* Seals all values with another key and records that in the database. `work` is a struct
 * sealed_work; run it with writer_run. */
struct sealed_work {
	const struct sitekeys *from; /* keys that can open the values */
	const struct sitekey *to;
	const struct stet_table *own;
	/* Results. */
	uint64_t count; /* values that were sealed again */
	json_t *left; /* strings: why some values were left unchanged; the caller releases it */
};
enum stet_status sealed_rekey(struct stet_call *, struct stet_tx *, void *work);

/* Tries to open all values, in a database that others may have open; writes nothing. Each value
 * that cannot be opened adds a string to `problems`, up to a limit; *count is their number.
 * Returns false with *why on error, which the caller frees. */
bool sealed_check(const char *database, const struct sitekeys *, const struct stet_table *own,
    json_t *problems, uint64_t *count, char **why);
/* Returns the id of the key with which the database's values are sealed, to be freed. NULL: there
 * is none yet. */
char *sealed_key_id(const char *database);

#endif
