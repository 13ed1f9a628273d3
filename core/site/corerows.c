/* corerows.c - the tables of the core. */
#include "site/corerows.h"

const struct stet_migration core_rows[] = {
	{ .version = 1,
	    .name = "journal, modules, outbox",
	    .sql = "CREATE TABLE migration (module TEXT NOT NULL, version INTEGER NOT NULL,"
		   " name TEXT NOT NULL, applied_at TEXT NOT NULL, digest TEXT NOT NULL,"
		   " PRIMARY KEY (module, version));"
		   "CREATE TABLE module_state (module TEXT PRIMARY KEY NOT NULL, enabled INTEGER,"
		   " installed_at TEXT, activated_at TEXT, deactivated_at TEXT);"
		   "CREATE TABLE module_setting (module TEXT NOT NULL, name TEXT NOT NULL,"
		   " value TEXT NOT NULL, PRIMARY KEY (module, name));"
		   "CREATE TABLE outbox (id INTEGER PRIMARY KEY, module TEXT NOT NULL,"
		   " point TEXT NOT NULL, payload TEXT NOT NULL, created_at TEXT NOT NULL,"
		   " attempts INTEGER NOT NULL, due_at TEXT, dead_at TEXT, error TEXT);"
		   "CREATE INDEX outbox_waiting ON outbox (module, id) WHERE dead_at IS NULL;" },
	{ .version = 2,
	    .name = "answers to requests with an Idempotency-Key",
	    .sql = "CREATE TABLE idempotency (principal TEXT NOT NULL, key TEXT NOT NULL,"
		   " digest BLOB NOT NULL, status INTEGER NOT NULL, type TEXT, etag TEXT,"
		   " headers TEXT, body BLOB, created_at TEXT NOT NULL,"
		   " PRIMARY KEY (principal, key));"
		   "CREATE INDEX idempotency_created ON idempotency (created_at);" },
	/* off: the module is disabled; absences: how often it was disabled; made_up: the number of
	 * these absences it has made up for; and the time since which it misses changes. */
	{ .version = 3,
	    .name = "absences of modules",
	    .sql = "ALTER TABLE module_state ADD COLUMN off INTEGER NOT NULL DEFAULT 0;"
		   "ALTER TABLE module_state ADD COLUMN absences INTEGER NOT NULL DEFAULT 0;"
		   "ALTER TABLE module_state ADD COLUMN made_up INTEGER NOT NULL DEFAULT 0;"
		   "ALTER TABLE module_state ADD COLUMN missed_from TEXT;"
		   "UPDATE module_state SET absences = 1, missed_from = deactivated_at"
		   " WHERE deactivated_at IS NOT NULL;"
		   "UPDATE module_state SET off = 1 WHERE deactivated_at IS NOT NULL AND"
		   " (activated_at IS NULL OR deactivated_at > activated_at);" },
	/* At most one row: the id of the key with which all values are sealed (vault.c). */
	{ .version = 4,
	    .name = "the key of the site, by its id",
	    .sql = "CREATE TABLE site_key (id TEXT PRIMARY KEY NOT NULL, since TEXT NOT NULL)" },
	{ .version = 5,
	    .name = "mails that wait, and those that were given up",
	    .sql = "CREATE TABLE mail (id TEXT PRIMARY KEY NOT NULL, module TEXT NOT NULL,"
		   " name TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT,"
		   " created_at TEXT NOT NULL, expires_at TEXT NOT NULL,"
		   " attempts INTEGER NOT NULL, due_at TEXT NOT NULL, dead_at TEXT, error TEXT);"
		   "CREATE INDEX mail_due ON mail (module, due_at, id) WHERE dead_at IS NULL;"
		   "CREATE INDEX mail_recipient ON mail (lower(recipient)) WHERE dead_at IS NULL;"
		   "CREATE INDEX mail_dead ON mail (dead_at, id) WHERE dead_at IS NOT NULL;" },
	{ .version = 6,
	    .name = "messages that wait for another attempt",
	    .sql = "CREATE INDEX outbox_failed ON outbox (module, due_at, id)"
		   " WHERE dead_at IS NULL AND due_at IS NOT NULL" },
	/* The daemons that use this database (watch_id), who of them does what, and how often
	 * something that one of them does was asked for (lease.c). Times are milliseconds by
	 * the clock of the database. */
	{ .version = 7,
	    .name = "daemons, and what they do",
	    .sql = "CREATE TABLE site_node (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL,"
		   " version TEXT NOT NULL, started INTEGER NOT NULL, seen INTEGER NOT NULL);"
		   "CREATE TABLE site_lease (name TEXT PRIMARY KEY NOT NULL, holder TEXT NOT NULL,"
		   " until INTEGER NOT NULL);"
		   "CREATE TABLE site_wake (name TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL);" },
	/* Buckets of rate limits that all daemons share (limit.c): when each is full, and when
	 * this was last written. Times as above. */
	{ .version = 8,
	    .name = "limits that daemons share",
	    .sql = "CREATE TABLE site_failure (key BLOB PRIMARY KEY NOT NULL,"
		   " until INTEGER NOT NULL, changed INTEGER NOT NULL)" },
	/* lag: how many changes its search index does not show. Which modules of the site a daemon
	 * (by its name) has not had, since when (lack.c). The last attempt to make a scheduled
	 * backup (backup/told.c). */
	{ .version = 9,
	    .name = "what daemons lack, and the last backup",
	    .sql = "ALTER TABLE site_node ADD COLUMN lag INTEGER;"
		   "CREATE TABLE site_lack (daemon TEXT NOT NULL, module TEXT NOT NULL,"
		   " since TEXT NOT NULL, PRIMARY KEY (daemon, module));"
		   "CREATE TABLE site_backup (one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),"
		   " tried INTEGER NOT NULL, status TEXT NOT NULL);",
	    .flags = STET_ADDITIVE },
	/* What each daemon says of itself for some seconds (beacon.c). */
	{ .version = 10,
	    .name = "beacons of daemons",
	    .sql = "CREATE TABLE site_beacon (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL,"
		   " beat INTEGER NOT NULL, body TEXT NOT NULL, seen INTEGER NOT NULL)",
	    .flags = STET_ADDITIVE },
};
const uint32_t core_row_count = sizeof(core_rows) / sizeof(core_rows[0]);
