/*
 * lack.c - see lack.h. What is written by a daemon that lacks a module does not reach that module.
 * So when the daemon has it, or is no more, the module has missed something: one absence is
 * counted, which began when the lack was noted. While the daemon lacks it, nothing is: the module
 * would catch up again and again.
 */
#include "site/lack.h"
#include "base/log.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include "db/driver.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/module.h"
#include "op/part.h"
#include "work/node.h"
#include <string.h>

#define LACKS_MAX 256
/* A daemon that has just started may have noted what it lacks, but not yet that it lives. */
#define STARTING_MS 60000

struct row {
	const char *daemon, *module, *since;
};

struct noting {
	const struct site_wants *wants;
	bool has[MODULES_MAX]; /* by loaded.index */
	bool first; /* the daemon has just started */
	/* What the database says; owned by the call. */
	const char *lacked[LACKS_MAX]; /* modules of the site that this daemon lacks */
	bool noted[LACKS_MAX];
	size_t lacked_count;
	struct row over[LACKS_MAX]; /* what is no more lacked */
	size_t over_count;
};

/* ---- reading ---- */

/* Finds the modules that the site uses, and this daemon does not. One that it is about to disable
 * is not lacked. */
static enum stet_status
find_lacked(struct stet_call *call, struct noting *n)
{
	struct stet_rows rows;

	n->lacked_count = 0;
	STET_TRY(
	    stet_query(call, &rows, "SELECT module FROM module_state WHERE off = 0", STET_NO_ARGS));
	while (stet_row(&rows)) {
		const struct loaded *l = modules_find(stet_col_str(&rows, 0));

		if ((l != NULL && (n->has[l->index] || n->wants->leaving[l->index])) ||
		    n->lacked_count == LACKS_MAX)
			continue;
		n->noted[n->lacked_count] = false;
		n->lacked[n->lacked_count++] = stet_col_dup(&rows, 0);
	}
	return stet_rows_end(&rows);
}

/* Returns the entry of a module that this daemon lacks; NULL: it has it, or nobody uses it. */
static bool *
entry(struct noting *n, const char *module)
{
	for (size_t i = 0; i < n->lacked_count; i++)
		if (strcmp(n->lacked[i], module) == 0)
			return &n->noted[i];
	return NULL;
}

/* Compares what was noted with that: by this daemon, and by those that do not live any more. */
static enum stet_status
find_over(struct stet_call *call, struct noting *n)
{
	const char *recent = stet_time_text(call, stet_now(call) - STARTING_MS);
	struct stet_rows rows;

	n->over_count = 0;
	STET_TRY(stet_query(call, &rows,
	    stet_printf(call,
		"SELECT l.daemon, l.module, l.since, l.since >= ?1 OR EXISTS (SELECT 1 FROM"
		" site_node AS n WHERE n.name = l.daemon AND ABS(n.seen - %s) < %d)"
		" FROM site_lack AS l",
		db_driver_of(call->site->db_place)->clock, NODE_LIVES_MS),
	    STET_ARGS(recent)));
	while (stet_row(&rows)) {
		const struct row row = { stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2) };
		bool mine = strcmp(row.daemon, node_own_name()) == 0;
		bool *noted = entry(n, row.module);

		if (mine && noted != NULL)
			*noted = true;
		else if (noted == NULL && (mine || stet_col_int(&rows, 3) == 0) &&
			 n->over_count < LACKS_MAX)
			n->over[n->over_count++] = row;
	}
	return stet_rows_end(&rows);
}

static enum stet_status
find(struct stet_call *call, struct noting *n)
{
	STET_TRY(find_lacked(call, n));
	return find_over(call, n);
}

/* ---- writing ---- */

/* A module that is disabled meanwhile misses something anyway (absence_store). */
static enum stet_status
end_one(struct stet_call *call, struct stet_tx *tx, const struct row *row)
{
	STET_TRY(stet_exec(call, tx,
	    "UPDATE module_state SET absences = absences + 1, activated_at = ?3, missed_from ="
	    " CASE WHEN absences > made_up AND missed_from < ?2 THEN missed_from ELSE ?2 END"
	    " WHERE module = ?1 AND off = 0",
	    STET_ARGS(row->module, row->since, stet_time_text(call, stet_now(call)))));
	return stet_exec(call, tx, "DELETE FROM site_lack WHERE daemon = ?1 AND module = ?2",
	    STET_ARGS(row->daemon, row->module));
}

static enum stet_status
write(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct noting *n = arg;

	STET_TRY(find(call, n));
	for (size_t i = 0; i < n->lacked_count; i++)
		if (!n->noted[i])
			STET_TRY(stet_exec(call, tx,
			    "INSERT INTO site_lack (daemon, module, since) VALUES (?1, ?2, ?3)",
			    STET_ARGS(node_own_name(), n->lacked[i],
				stet_time_text(call, stet_now(call)))));
	for (size_t i = 0; i < n->over_count; i++)
		STET_TRY(end_one(call, tx, &n->over[i]));
	return STET_OK;
}

/* Returns true if there is something to write. Each start of the daemon says what it lacks. */
static bool
tell(const struct site *site, const struct noting *n)
{
	bool news = n->over_count > 0;

	for (size_t i = 0; i < n->lacked_count; i++) {
		news = news || !n->noted[i];
		if (!n->noted[i] || n->first)
			log_line(STET_ERROR,
			    "site %s: this daemon lacks the module %s, which the site uses: what is"
			    " written here does not reach it; install it, or disable it for the site"
			    " (stet module disable)",
			    site_name(site), n->lacked[i]);
	}
	return news;
}

void
lack_note(struct site *site, const struct generation *gen, const struct site_wants *wants)
{
	struct noting n = { .wants = wants, .first = site->current == NULL };
	struct stet_call *call;
	enum stet_status status;

	if (!site->daemon || site->broken != NULL)
		return;
	for (size_t i = 0; i < gen->module_count; i++)
		n.has[gen->module[i]->index] = true;
	call = call_new();
	call_enter(call, site);
	status = find(call, &n);
	rows_end_call(call);
	if (status == STET_OK && tell(site, &n)) {
		op_part(call)->job = (struct write_job){ .call = call, .run = write, .arg = &n };
		status = writer_run(site->writer, &op_part(call)->job);
		rows_end_call(call);
	}
	if (status != STET_OK)
		log_line(STET_WARN, "site %s: what this daemon lacks could not be noted",
		    site_name(site));
	call_free(call);
}
