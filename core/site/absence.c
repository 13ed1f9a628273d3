/*
 * absence.c - counts the periods in which a module was disabled on a site. A disabled module learns
 * of no change, so what it derives from items (an index, counts, a feed) is stale when it is
 * enabled again. module_state counts these periods, whatever disabled the module, and how many of
 * them the module has made up for.
 */
#include "site/absence.h"
#include "base/log.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/module.h"
#include "op/part.h"

enum stet_status
absence_store(
    struct stet_call *call, struct stet_tx *tx, const char *module, bool enable, bool decided)
{
	const char *now = stet_time_text(call, stet_now(call));

	return stet_exec(call, tx,
	    "INSERT INTO module_state"
	    " (module, enabled, installed_at, activated_at, deactivated_at, off)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (module) DO UPDATE SET"
	    " enabled = COALESCE(excluded.enabled, module_state.enabled), off = excluded.off,"
	    " installed_at = COALESCE(module_state.installed_at, excluded.installed_at),"
	    " activated_at = COALESCE(excluded.activated_at, module_state.activated_at),"
	    " deactivated_at = COALESCE(excluded.deactivated_at, module_state.deactivated_at),"
	    " missed_from = CASE WHEN module_state.absences > module_state.made_up"
	    " THEN module_state.missed_from ELSE excluded.deactivated_at END,"
	    " absences = module_state.absences"
	    " + CASE WHEN excluded.off > module_state.off THEN 1 ELSE 0 END",
	    STET_ARGS(module, decided ? stet_val_int(enable) : stet_val_null(), now,
		enable ? now : (const char *)NULL, enable ? (const char *)NULL : now, !enable));
}

/* ---- modules disabled by the configuration or by their files ---- */

struct noting {
	const struct site_wants *wants;
	bool has[MODULES_MAX]; /* by loaded.index: the generation has the module */
	bool shared; /* other daemons may have what this one lacks (lack.h) */
};

/* A request to disable the module is stored by noted.c, which counts the absence. Storing it here
 * would wait for the writer, which that module may be blocking. */
static bool
is_news(const struct noting *n, size_t i)
{
	if (n->wants->leaving[i] || (n->shared && !n->has[i]))
		return false;
	return n->wants->known[i] ? n->has[i] == n->wants->off[i] : n->has[i];
}

/* A module whose file is missing is not loaded; only its row is left. */
static enum stet_status
note_lost(struct stet_call *call, struct stet_tx *tx)
{
	const char *lost[MODULES_MAX];
	struct stet_rows rows;
	size_t count = 0;

	STET_TRY(
	    stet_query(call, &rows, "SELECT module FROM module_state WHERE off = 0", STET_NO_ARGS));
	while (stet_row(&rows))
		if (modules_find(stet_col_str(&rows, 0)) == NULL && count < MODULES_MAX)
			lost[count++] = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++)
		STET_TRY(absence_store(call, tx, lost[i], false, false));
	return STET_OK;
}

static enum stet_status
note_all(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct noting *n = arg;

	for (size_t i = 0; i < modules_count(); i++)
		if (is_news(n, i))
			STET_TRY(absence_store(call, tx, modules_at(i)->m.name, n->has[i], false));
	return n->wants->lost && !n->shared ? note_lost(call, tx) : STET_OK;
}

void
absence_note(struct site *site, const struct generation *gen, const struct site_wants *wants)
{
	struct noting n = { .wants = wants, .shared = site->shared };
	struct stet_call *call;
	bool news = wants->lost && !site->shared;

	for (size_t i = 0; i < gen->module_count; i++)
		n.has[gen->module[i]->index] = true;
	for (size_t i = 0; i < modules_count(); i++)
		news = news || is_news(&n, i);
	if (!news || site->broken != NULL || site->looking)
		return;
	call = call_new();
	call_enter(call, site);
	op_part(call)->job = (struct write_job){ .call = call, .run = note_all, .arg = &n };
	if (writer_run(site->writer, &op_part(call)->job) != STET_OK)
		log_line(STET_WARN, "site %s: module_state could not be written", site_name(site));
	rows_end_call(call);
	call_free(call);
}

/* ---- functions of the SDK ---- */

enum stet_status
stet_absence_of_sized(
    struct stet_call *call, const char *module, struct stet_absence *out, size_t size)
{
	struct stet_absence is = { .number = 0 };
	struct stet_rows rows;

	stet_extend(out, size, &is, sizeof(is));
	STET_TRY(stet_query(call, &rows,
	    "SELECT absences, made_up, missed_from, activated_at FROM module_state"
	    " WHERE module = ?1",
	    STET_ARGS(module)));
	if (stet_row(&rows)) {
		is.number = stet_col_int(&rows, 0);
		is.open = is.number > stet_col_int(&rows, 1);
		is.from = is.open ? stet_col_dup(&rows, 2) : NULL;
		is.until = is.open ? stet_col_dup(&rows, 3) : NULL;
	}
	stet_extend(out, size, &is, sizeof(is));
	return stet_rows_end(&rows);
}

enum stet_status
stet_absence_sized(struct stet_call *call, struct stet_absence *out, size_t size)
{
	return stet_absence_of_sized(call, call->owner->m.name, out, size);
}

enum stet_status
stet_absence_over(struct stet_call *call, struct stet_tx *tx, int64_t number)
{
	return stet_exec(call, tx,
	    "UPDATE module_state SET made_up = ?2"
	    " WHERE module = ?1 AND made_up < ?2 AND absences >= ?2",
	    STET_ARGS(call->owner->m.name, number));
}
