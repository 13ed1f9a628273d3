/*
 * sealed.h - all sealed values of a site: the columns that modules name in their tables `sealed`,
 * of modules that are loaded, enabled or not.
 */
#ifndef CORE_SEALED_H
#define CORE_SEALED_H

#include "work/vault.h"
#include <jansson.h>

/* Seal all of them with another key, and have the database say so: for writer_run. */
struct sealed_work {
	const struct sitekeys *from; /* what opens them */
	const struct sitekey *to;
	/* Results. */
	uint64_t count; /* sealed anew */
	json_t *left; /* why some were left as they are: strings; to be released */
};
enum stet_status sealed_rekey(struct stet_call *, struct stet_tx *, void *work);

/* Can they be opened? Looks at a database that others may have open, and writes nothing. Each that
 * cannot is a string in `problems`, up to a limit; *count is how many there are. false: *why, to be
 * freed. */
bool sealed_check(
    const char *database, const struct sitekeys *, json_t *problems, uint64_t *count, char **why);
/* The id of the key with which a database is sealed, to be freed; NULL: it has none yet. */
char *sealed_key_id(const char *database);

#endif
