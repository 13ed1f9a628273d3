/*
 * migrate.c - runs migrations and keeps their journal.
 *
 * The journal records each applied migration with a digest of its SQL. A database that is newer
 * than the program, or whose applied migrations differ from the program's, is refused: the program
 * would misread it. Before existing tables change, the database is copied (upgrade.h).
 */
#include "site/migrate.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "call/call.h"
#include "call/status.h"
#include "db/catalogue.h"
#include "db/common.h"
#include "db/db.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/mark.h"
#include "module/module.h"
#include "module/running.h"
#include "site/corerows.h"
#include "site/upgrade.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_BYTES 16

/* The migrations of a module and how far they have come. */
struct plan {
	struct site *site;
	const char *module;
	const struct loaded *owner; /* NULL: the core */
	const struct stet_migration *row;
	uint32_t count;
	uint32_t applied; /* by the journal */
	bool inside; /* in the call that enables the module */
	struct buf why;
};

/* ---- messages ---- */

static const char *
whose(const struct plan *p)
{
	return p->owner != NULL ? "module " : "";
}

static enum stet_status
refuse_newer(struct plan *p, int64_t version, const char *name)
{
	buf_printf(&p->why,
	    "%s%s: the database has migration %lld (%s), but this program knows only %u: a newer"
	    " version wrote it. Install that version, or restore a backup",
	    whose(p), p->module, (long long)version, name, p->count);
	return STET_MIGRATION_FAILED;
}

static enum stet_status
refuse_changed(struct plan *p, int64_t version, const char *name, const char *applied_at)
{
	buf_printf(&p->why,
	    "%s%s: migration %lld (%s) is not the one that was applied at %s. Install the version"
	    " that it came from: a released migration must never change",
	    whose(p), p->module, (long long)version, name, applied_at);
	return STET_MIGRATION_FAILED;
}

static enum stet_status
tell_failed(struct plan *p, const struct stet_migration *m, const char *what)
{
	buf_printf(&p->why,
	    "%s%s: migration %u (%s) failed: %s. Nothing of it was kept, and it is tried again %s",
	    whose(p), p->module, m->version, m->name, what,
	    p->inside ? "when the module is enabled" : "at the next start");
	return STET_MIGRATION_FAILED;
}

static const char *
error_text(struct stet_call *call, enum stet_status status)
{
	if (call->error.text != NULL)
		return call->error.text;
	if (!status_is_known(status))
		return status_said(call, status);
	return call->error.issues != NULL ? call->error.issues->message : stet_status_text(status);
}

/* ---- journal ---- */

/* What follows the digest in the journal if the migration is STET_ADDITIVE. */
#define ADDITIVE "+"

/* Reads a digest of the journal: of one that is additive? */
static bool
was_additive(const char *digest_then)
{
	return digest_then != NULL && strlen(digest_then) > 2 * (size_t)DIGEST_BYTES;
}

static void
digest(const struct stet_migration *m, char hex[2 * DIGEST_BYTES + 1])
{
	unsigned char hash[DIGEST_BYTES];
	struct buf b = { 0 };

	buf_printf(&b, "%u\n%s\n%s", m->version, m->name, m->sql != NULL ? m->sql : "");
	crypto_generichash(hash, sizeof(hash), (const unsigned char *)b.data, b.len, NULL, 0);
	sodium_bin2hex(hex, 2 * DIGEST_BYTES + 1, hash, sizeof(hash));
	buf_free(&b);
}

static enum stet_status
find_journal(struct stet_call *call, bool *journal, bool *any)
{
	struct stet_rows rows;

	STET_TRY(stet_table_exists(call, "migration", journal));
	STET_TRY(db_tables_like(call, &rows, "%"));
	*any = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* Compares the journal with the module's rows and finds the next migration to run. */
static enum stet_status
read_journal(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct plan *p = arg;
	struct stet_rows rows;
	bool journal = true, any = true;

	(void)tx;
	if (p->owner == NULL) /* the core comes first and creates the journal */
		STET_TRY(find_journal(call, &journal, &any));
	if (!journal && any) {
		buf_str(&p->why, "the file holds tables, but no journal of migrations: it is not"
				 " the database of a site");
		return STET_MIGRATION_FAILED;
	}
	p->applied = 0;
	if (!journal)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT version, name, applied_at, digest FROM migration WHERE module = ?1"
	    " ORDER BY version",
	    STET_ARGS(p->module)));
	while (stet_row(&rows)) {
		int64_t version = stet_col_int(&rows, 0);
		char hex[2 * DIGEST_BYTES + 1];

		if (version > p->count && was_additive(stet_col_str(&rows, 3)))
			continue;
		if (version > p->count)
			return refuse_newer(p, version, stet_col_str(&rows, 1));
		digest(&p->row[version - 1], hex);
		if (strncmp(hex, stet_col_str(&rows, 3), strlen(hex)) != 0)
			return refuse_changed(
			    p, version, stet_col_str(&rows, 1), stet_col_str(&rows, 2));
		p->applied = (uint32_t)version;
	}
	return stet_rows_end(&rows);
}

/* ---- steps ---- */

/* A plugin is marked (mark.h) in each of its migrations, not only in its first call. */
static enum stet_status
run_code(struct plan *p, const struct stet_migration *m, struct stet_call *call, struct stet_tx *tx)
{
	int mark = p->owner == NULL || p->owner->bundled
		       ? -1
		       : mark_set(p->module, site_name(p->site), "a migration");
	struct running running;
	enum stet_status status;

	running_enter(&running, call, p->owner, RUNNING_MIGRATION, m->name);
	status = m->run(call, tx);
	running_leave(&running);
	mark_clear(mark);
	return status;
}

static enum stet_status
run_sql(struct stet_call *call, const char *sql, char **why)
{
	enum stet_status status;

	db_set_plugin(db_part(call)->db, rows_plugin(call));
	status = db_script(db_part(call)->db, sql, why);
	db_set_plugin(db_part(call)->db, NULL);
	return status;
}

/* Runs the next migration and writes its journal row. Does nothing if another process has done
 * so. */
static enum stet_status
apply_next(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct plan *p = arg;
	const struct stet_migration *m = &p->row[p->applied];
	uint32_t before = p->applied;
	const char *additive = (m->flags & STET_ADDITIVE) != 0 ? ADDITIVE : "";
	char hex[2 * DIGEST_BYTES + 1], *why = NULL;
	enum stet_status status;

	STET_TRY(read_journal(call, tx, p));
	if (p->applied > before)
		return STET_OK;
	if (m->sql != NULL && run_sql(call, m->sql, &why) != STET_OK) {
		status = tell_failed(p, m, why);
		free(why);
		return status;
	}
	if (m->run != NULL && (status = run_code(p, m, call, tx)) != STET_OK)
		return tell_failed(p, m, error_text(call, status));
	digest(m, hex);
	STET_TRY(
	    common_renew(call, tx)); /* daemons of other versions look at the journal (newer.c) */
	return stet_exec(call, tx,
	    "INSERT INTO migration (module, version, name, applied_at, digest)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(p->module, m->version, m->name, stet_time_text(call, clock_now()),
		stet_printf(call, "%s%s", hex, additive)));
}

/* apply_next in a transaction of its own, which is interrupted when the process ends. */
static enum stet_status
apply_alone(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	enum stet_status status;

	db_set_interrupt(db_part(call)->db, &upgrade_stopped);
	db_overwrite(
	    db_part(call)->db, true); /* a secret that a migration moves must remain nowhere else */
	status = apply_next(call, tx, arg);
	db_overwrite(db_part(call)->db, false);
	db_set_interrupt(db_part(call)->db, NULL);
	return status;
}

/* Sets the reason of a failure if none is set yet. */
static void
explain(struct plan *p, struct stet_call *call, enum stet_status status)
{
	if (p->why.len > 0)
		return;
	if (p->applied < p->count)
		tell_failed(p, &p->row[p->applied], error_text(call, status));
	else
		buf_printf(&p->why, "%s%s: the journal of migrations cannot be read: %s", whose(p),
		    p->module, error_text(call, status));
}

/* Runs fn in a transaction of its own, in a call of the module. */
static enum stet_status
in_transaction(struct plan *p, enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *))
{
	struct stet_call *call = call_new();
	struct write_job job = { .call = call, .run = fn, .arg = p };
	enum stet_status status;

	call_enter(call, p->site);
	call->owner = p->owner;
	call->principal = (struct stet_principal){
		.id = "", .email = "", .name = "", .role = 50, .via = STET_VIA_SYSTEM
	};
	call->has_principal = true;
	status = writer_run(p->site->writer, &job);
	if (status != STET_OK)
		explain(p, call, status);
	call_free(call);
	return status;
}

/* Reads the journal on a read connection, which needs no writer. */
static enum stet_status
look(struct plan *p)
{
	struct stet_call *call = call_new();
	enum stet_status status;

	call_enter(call, p->site);
	call->owner = p->owner;
	status = read_journal(call, NULL, p);
	if (status != STET_OK)
		explain(p, call, status);
	rows_end_call(call);
	call_free(call);
	return status;
}

static bool
in_order(struct plan *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (p->row[i].version != i + 1) {
			buf_printf(&p->why, "%s%s: its migrations do not count up from 1", whose(p),
			    p->module);
			return false;
		}
	return true;
}

/* Passes the reason to the caller, or frees it. */
static enum stet_status
conclude(struct plan *p, enum stet_status status, char **why)
{
	*why = NULL;
	if (status == STET_OK) {
		buf_free(&p->why);
		return STET_OK;
	}
	*why = p->why.data;
	return STET_MIGRATION_FAILED;
}

/* Copies the database before migrations that change existing tables. New tables need no copy. */
static enum stet_status
keep_copy(struct plan *p)
{
	char *why;

	if (p->applied == 0 || p->applied == p->count || upgrade_copy(p->site, &why))
		return STET_OK;
	buf_printf(&p->why,
	    "%s%s: migration %u (%s) waits, since no copy of the database could be made before:"
	    " %s",
	    whose(p), p->module, p->row[p->applied].version, p->row[p->applied].name, why);
	free(why);
	return STET_MIGRATION_FAILED;
}

static void
tell(const struct plan *p)
{
	char what[128];

	(void)snprintf(what, sizeof(what), "its tables are changed: module %s, migration %u (%s)",
	    p->module, p->row[p->applied].version, p->row[p->applied].name);
	upgrade_tell(p->site, what);
}

static enum stet_status
step(struct plan *p)
{
	uint32_t before = p->applied;
	enum stet_status status;

	tell(p);
	status = in_transaction(p, apply_alone);
	reader_close(p->site); /* its connection still knows the old tables */
	if (status == STET_OK && p->applied == before)
		p->applied++;
	return status;
}

/* Reports waiting migrations without running them, since the site was opened for reading only. */
static enum stet_status
leave_waiting(struct plan *p)
{
	buf_printf(&p->why, "%s%s: migration %u (%s) waits for the next start of stetd", whose(p),
	    p->module, p->row[p->applied].version, p->row[p->applied].name);
	return STET_MIGRATION_FAILED;
}

/* The same for who wants to know all of them. */
static enum stet_status
list_waiting(const struct plan *p)
{
	for (uint32_t i = p->applied; i < p->count; i++)
		json_array_append_new(p->site->pending,
		    json_pack("{s:s, s:I, s:s, s:b}", "module", p->module, "version",
			(json_int_t)p->row[i].version, "name", p->row[i].name, "additive",
			(p->row[i].flags & STET_ADDITIVE) != 0));
	return STET_OK;
}

/* Fails because the process ends. Overrides any other reason. */
static enum stet_status
leave(struct plan *p)
{
	buf_free(&p->why);
	buf_printf(&p->why,
	    "%s%s: migration %u (%s) is left to the next start, since stetd is stopping", whose(p),
	    p->module, p->row[p->applied].version, p->row[p->applied].name);
	return STET_MIGRATION_FAILED;
}

static enum stet_status
migrate(struct plan *p, char **why)
{
	enum stet_status status = STET_MIGRATION_FAILED;
	bool known = in_order(p) && (status = look(p)) == STET_OK;
	const uint32_t first = p->applied;

	if (known && p->site->pending != NULL)
		return conclude(p, list_waiting(p), why);
	if (known && p->site->looking)
		return conclude(p, p->applied < p->count ? leave_waiting(p) : STET_OK, why);
	if (known && !atomic_load(&upgrade_stopped))
		status = keep_copy(p);
	while (status == STET_OK && p->applied < p->count && !atomic_load(&upgrade_stopped))
		status = step(p);
	if (known && p->applied < p->count && atomic_load(&upgrade_stopped))
		status = leave(p);
	upgrade_ended(p->site, p->applied > first);
	upgrade_tell(p->site, NULL);
	return conclude(p, status, why);
}

enum stet_status
migrate_rows(struct site *site, const char *module, const struct stet_migration *row,
    uint32_t count, char **why)
{
	struct plan plan = { .site = site, .module = module, .row = row, .count = count };

	return migrate(&plan, why);
}

enum stet_status
migrate_core(struct site *site, char **why)
{
	return migrate_rows(site, "core", core_rows, core_row_count, why);
}

/* Copies the rows of its table, whatever their size in the module; to be freed. */
static struct stet_migration *
module_plan(struct plan *p, struct site *site, const struct loaded *l)
{
	struct stet_migration *row = xcalloc(l->m.migrations.count + 1, sizeof(*row));

	for (uint32_t i = 0; i < l->m.migrations.count; i++)
		stet_table_row(&l->m.migrations, i, &row[i], sizeof(*row));
	*p = (struct plan){ .site = site,
		.module = l->m.name,
		.owner = l,
		.row = row,
		.count = l->m.migrations.count };
	return row;
}

enum stet_status
migrate_module(struct site *site, const struct loaded *l, char **why)
{
	struct plan plan;
	struct stet_migration *row = module_plan(&plan, site, l);
	enum stet_status status = migrate(&plan, why);

	free(row);
	return status;
}

/* Compares a row of the journal with the plan's. */
static char *
refusal(struct plan *p, int64_t version, const char *digest_then)
{
	char hex[2 * DIGEST_BYTES + 1];

	if (version > p->count && !was_additive(digest_then))
		refuse_newer(p, version, "of its own");
	else if (version > 0 && version <= p->count) {
		digest(&p->row[version - 1], hex);
		if (strncmp(hex, digest_then, strlen(hex)) != 0)
			refuse_changed(p, version, p->row[version - 1].name, "another time");
	}
	return p->why.data;
}

char *
migrate_refusal(const char *module, int64_t version, const char *digest_then, bool *known)
{
	struct plan plan = { .module = "core", .row = core_rows, .count = core_row_count };
	char *why = NULL;

	*known = strcmp(module, "core") == 0;
	if (*known)
		return refusal(&plan, version, digest_then);
	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *l = modules_at(i);
		struct stet_migration *row;

		if (strcmp(l->m.name, module) != 0)
			continue;
		*known = true;
		row = module_plan(&plan, NULL, l);
		why = refusal(&plan, version, digest_then);
		free(row);
	}
	return why;
}

enum stet_status
migrate_in_call(struct stet_call *call, struct stet_tx *tx, const struct loaded *l, char **why)
{
	struct plan plan;
	struct stet_migration *row = module_plan(&plan, call->site, l);
	const struct loaded *owner = call->owner;
	__typeof__(call->error) error = call->error;
	enum stet_status status = STET_MIGRATION_FAILED;

	plan.inside = true;
	call->owner = l;
	if (in_order(&plan))
		status = read_journal(call, tx, &plan);
	while (status == STET_OK && plan.applied < plan.count) {
		status = apply_next(call, tx, &plan);
		if (status == STET_OK)
			plan.applied++;
	}
	if (status != STET_OK)
		explain(&plan, call, status);
	call->owner = owner;
	call->error = error;
	free(row);
	return conclude(&plan, status, why);
}
