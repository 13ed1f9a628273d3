/* enabling.c - turns modules of a site on and off. */
#include "site/enabling.h"
#include "call/adopt.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include "call/status.h"
#include "db/common.h"
#include "db/rows.h"
#include "module/generation.h"
#include "module/module.h"
#include "op/dispatch.h"
#include "site/absence.h"
#include "site/compile.h"
#include "site/datadir.h"
#include "site/enabled.h"
#include "site/migrate.h"
#include "site/prefix.h"
#include "site/setting.h"
#include "site/suspension.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Key of a slot: the module whose suspension for the whole daemon this call ends. */
static char lifted_key;

bool
enabling_lifted(struct stet_call *call, const char *module)
{
	const char *lifted = *stet_call_slot(call, &lifted_key);

	return lifted != NULL && strcmp(lifted, module) == 0;
}

static void
pending_drop(void *arg)
{
	struct pending *p = arg, **link = &p->call->adopted.pending;

	while (*link != NULL && *link != p)
		link = &(*link)->next;
	if (*link == p)
		*link = p->next;
	if (p->installed)
		return;
	if (p->module->m.close != NULL)
		p->module->m.close(p->state);
	free(p->state);
}

static void
pending_install(struct stet_call *call, void *arg)
{
	struct pending *p = arg;
	struct site *site = call->site;
	int i = p->module->index;

	pthread_mutex_lock(&site->compiling);
	site->migrated[i] = true;
	pthread_mutex_unlock(&site->compiling);
	pthread_mutex_lock(&site->lock);
	free(site->unmigrated[i]);
	site->unmigrated[i] = NULL;
	if (!site->opened[i]) {
		site->state[i] = p->state;
		site->opened[i] = p->installed = true;
	}
	pthread_mutex_unlock(&site->lock);
}

struct find_refusal {
	struct stet_call *call;
	const char *name;
	char *reason;
	bool held;
};

static void
find_refusal(const struct module_refusal *r, void *arg)
{
	struct find_refusal *find = arg;

	if (strcmp(r->name, find->name) != 0)
		return;
	find->reason = stet_strdup(find->call, r->reason);
	find->held = r->held;
}

static enum stet_status
not_there(struct stet_call *call, const char *name)
{
	struct find_refusal find = { call, name, NULL, false };

	modules_refused(find_refusal, &find);
	if (find.reason != NULL)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "The plugin %s is refused: %s", name, find.reason);
	return stet_fail(call, STET_NOT_FOUND, NULL, "Plugin not found: %s", name);
}

static bool
needs(const struct loaded *l, const char *name)
{
	for (const char *const *need = l->m.needs; need != NULL && *need != NULL; need++)
		if (strcmp(*need, name) == 0)
			return true;
	return false;
}

static enum stet_status
check_needs(struct stet_call *call, const struct site_wants *wants, const struct loaded *l)
{
	for (const char *const *need = l->m.needs; need != NULL && *need != NULL; need++) {
		const struct loaded *other = modules_find(*need);

		if (other == NULL || !wants->enabled[other->index])
			return stet_fail(call, STET_CONFLICT, NULL,
			    "The module %s needs the module %s, which is not enabled", l->m.name,
			    *need);
	}
	return prefix_check(call, l);
}

static enum stet_status
check_needed(struct stet_call *call, const struct site_wants *wants, const struct loaded *l)
{
	if (enabled_essential(l))
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The module %s is required and cannot be disabled", l->m.name);
	for (size_t i = 0; i < modules_count(); i++)
		if (wants->enabled[i] && !wants->leaving[i] && needs(modules_at(i), l->m.name))
			return stet_fail(call, STET_CONFLICT, NULL,
			    "The module %s needs the module %s: disable it first",
			    modules_at(i)->m.name, l->m.name);
	return STET_OK;
}

/* Checks that all modules that work now would still work together after the change. */
static enum stet_status
check_generation(
    struct stet_call *call, const struct generation *gen, const struct loaded *l, bool enable)
{
	if (enable && gen->refusal[l->index] != NULL)
		return stet_fail(call, STET_CONFLICT, NULL, "The module %s cannot be enabled: %s",
		    l->m.name, gen->refusal[l->index]);
	for (size_t i = 0; i < MODULES_MAX; i++)
		if (gen->refusal[i] != NULL && call->gen->refusal[i] == NULL && (int)i != l->index)
			return stet_fail(call, STET_CONFLICT, NULL,
			    "The module %s would stop working: %s", modules_at(i)->m.name,
			    gen->refusal[i]);
	return STET_OK;
}

static enum stet_status
migrate(struct stet_call *call, struct stet_tx *tx, const struct loaded *l)
{
	char *why = NULL;
	enum stet_status status = migrate_in_call(call, tx, l, &why);

	if (status == STET_OK)
		return STET_OK;
	stet_log(call, STET_ERROR, "%s", why != NULL ? why : stet_status_text(status));
	free(why);
	if (status == STET_INSUFFICIENT_STORAGE)
		return stet_fail(call, status, NULL, "%s", stet_status_text(status));
	return stet_fail(call, STET_FAULT, NULL,
	    "The module %s failed to migrate: nothing was changed, the log says why", l->m.name);
}

/* Opens the module in the generation to come. */
static enum stet_status
open_pending(struct stet_call *call, struct generation *next, const struct loaded *l)
{
	struct generation *now = call->gen;
	struct pending *p;
	enum stet_status status;

	if (enabled_has_state(call->site, l))
		return STET_OK;
	p = stet_alloc(call, sizeof(*p));
	p->module = l;
	call->gen = next;
	status = enabled_open(call, l, &p->state);
	call->gen = now;
	if (status == STET_OK) {
		p->call = call;
		p->next = call->adopted.pending;
		call->adopted.pending = p;
		stet_defer(call, pending_drop, p);
		call_on_commit(call, pending_install, p);
		return STET_OK;
	}
	stet_log(call, STET_ERROR, "module %s: open failed: %s: %s", l->m.name,
	    status_said(call, status), call->error.text != NULL ? call->error.text : "");
	if (status == STET_INSUFFICIENT_STORAGE)
		return status;
	return stet_fail(call, STET_FAULT, NULL,
	    "The module %s failed to open: nothing was changed, the log says why", l->m.name);
}

static void
generation_drop(void *gen)
{
	generation_put(gen);
}

/* After the commit: deletes the notes in the data directory that this decision settles. */
static void
notes_committed(struct stet_call *call, void *arg)
{
	const char *data = call->site->conf.data, *module = arg;

	disable_request_forget(data, module);
	if (enabling_lifted(call, module)) {
		suspension_lift(data, SUSPENSION_SITE, module);
		suspension_lift(suspension_home(), SUSPENSION_DAEMON, module);
	}
}

static void
answer_notes(struct stet_call *call, const char *module, bool enable)
{
	char *name = stet_strdup(call, module);

	if (enable)
		*stet_call_slot(call, &lifted_key) = name;
	call_on_commit(call, notes_committed, name);
}

/* Makes the change in a generation that is not public yet, to know that it works. */
static enum stet_status
change(struct stet_call *call, struct stet_tx *tx, const struct loaded *l, bool enable,
    struct site_wants *wants)
{
	struct conf_site conf = site_conf(call->site);
	struct generation *next;

	STET_TRY(enable ? check_needs(call, wants, l) : check_needed(call, wants, l));
	wants->enabled[l->index] = enable;
	if (enable && l->m.settings.count > 0 && wants->setting[l->index] == NULL)
		STET_TRY(setting_read(call, l, &wants->setting[l->index]));
	next = generation_new(call->site, &conf, wants);
	stet_defer(call, generation_drop, next);
	STET_TRY(check_generation(call, next, l, enable));
	if (enable) {
		STET_TRY(migrate(call, tx, l));
		STET_TRY(open_pending(call, next, l));
		/* From here on the module learns of this call's writes, op_written included. */
		atomic_fetch_add(&next->refs, 1);
		adopt_try(call, next);
	}
	STET_TRY(absence_store(call, tx, l->m.name, enable, true));
	answer_notes(call, l->m.name, enable);
	return compile_later(call, tx);
}

/* The main thread loads the file when it reads the configuration again. */
static void
scan_committed(struct stet_call *call, void *arg)
{
	(void)arg;
	if (call->site->daemon)
		(void)kill(getpid(), SIGHUP);
	else
		datadir_tell_daemon(call->site);
}

static bool
is_stored_enabled(struct stet_call *call, const char *name)
{
	struct stet_rows rows;

	return stet_one(call, &rows, STET_NOT_FOUND,
		   "SELECT 1 FROM module_state WHERE module = ?1 AND enabled = 1",
		   STET_ARGS(name)) == STET_OK &&
	       stet_rows_end(&rows) == STET_OK;
}

/* Ends the suspension of a plugin that is not loaded, or disables it. */
static enum stet_status
change_unloaded(struct stet_call *call, struct stet_tx *tx, const char *name, bool enable)
{
	struct find_refusal find = { call, name, NULL, false };

	modules_refused(find_refusal, &find);
	if (find.reason == NULL || !(enable ? find.held : is_stored_enabled(call, name)))
		return not_there(call, name);
	STET_TRY(absence_store(call, tx, name, enable, true));
	answer_notes(call, name, enable);
	call_on_commit(call, scan_committed, NULL);
	return common_renew(call, tx);
}

/* Returns true if nothing needs to change. */
static bool
is_settled(const struct stet_call *call, const struct site_wants *wants, int index, bool enable)
{
	if (wants->enabled[index] != enable || wants->leaving[index])
		return false;
	return !enable || (wants->suspended[index] == NULL && call->gen->refusal[index] == NULL);
}

enum stet_status
stet_module_enable(struct stet_call *call, struct stet_tx *tx, const char *name, bool enable)
{
	const struct loaded *l = modules_find(name);
	struct site_wants wants;
	enum stet_status status;

	if (l == NULL)
		return change_unloaded(call, tx, name, enable);
	status = enabled_read(call, &wants);
	enabled_add_notes(call->site, &wants);
	if (status == STET_OK && !is_settled(call, &wants, l->index, enable)) {
		free(wants.suspended[l->index]);
		wants.suspended[l->index] = NULL;
		wants.leaving[l->index] = false;
		status = change(call, tx, l, enable, &wants);
	}
	enabled_release(&wants);
	return status;
}

enum stet_status
stet_module_leave(struct stet_call *call, const char *name, bool *writable)
{
	const struct loaded *l = modules_find(name);
	struct site_wants wants;
	enum stet_status status;
	char *why = NULL;
	bool enabled;

	*writable = false;
	if (l == NULL)
		return dispatch_writable(call);
	status = enabled_read(call, &wants);
	enabled_add_notes(call->site, &wants);
	if (status == STET_OK)
		status = check_needed(call, &wants, l);
	enabled = wants.enabled[l->index];
	enabled_release(&wants);
	if (status != STET_OK || !enabled)
		return status;
	if (!disable_request(call->site->conf.data, name, &why)) {
		status = stet_fault(call, "the module %s stays: %s", name, why);
		free(why);
		return status;
	}
	stet_log(call, STET_INFO, "the module %s is left out, as was asked for", name);
	rows_end_call(call); /* migrations of other modules may change its data */
	*writable = compile_apart(call->site);
	return STET_OK;
}
