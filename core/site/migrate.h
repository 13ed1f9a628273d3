/* migrate.h - runs migrations of modules: each in one transaction, with a row in the journal. */
#ifndef CORE_MIGRATE_H
#define CORE_MIGRATE_H

#include "call/site.h"

/*
 * Run the migrations of the core, then those of each module, in order. On STET_MIGRATION_FAILED,
 * *why says what failed and what to do; the caller frees it. Also refused: a database whose
 * journal has unknown migrations, an applied migration that differs, and a file that is not a
 * site's.
 *
 * The journal is migration(module, version, name, applied_at, digest). "+" follows the digest of a
 * migration that is STET_ADDITIVE: versions that do not know it go on. The core's other tables
 * include these, which enabled.c and setting.c read:
 * module_state(module TEXT PRIMARY KEY, enabled INTEGER, installed_at TEXT, activated_at TEXT,
 * deactivated_at TEXT)   enabled NULL: as configured
 * module_setting(module TEXT, name TEXT, value TEXT, PRIMARY KEY (module, name))   value is JSON
 */
enum stet_status migrate_core(struct site *, char **why);
enum stet_status migrate_module(struct site *, const struct loaded *, char **why);
/* Runs the module's outstanding migrations inside the transaction of a call in the write lane, so
 * that enabling a module and creating its tables commit together. Records no error in the call. */
enum stet_status migrate_in_call(
    struct stet_call *, struct stet_tx *, const struct loaded *, char **why);
/* For tests: as migrate_module, with migrations that are passed as an array. */
enum stet_status migrate_rows(
    struct site *, const char *module, const struct stet_migration *, uint32_t count, char **why);
/* Returns why this program would refuse a database whose journal has this entry, to be freed;
 * NULL: it would not. *known: there is a module of that name. */
char *migrate_refusal(const char *module, int64_t version, const char *digest, bool *known);
/* The same for the database of an open site, which a daemon of a newer version may have changed. */
char *migrate_newer(struct site *);

#endif
