/* enabled.c - which modules a site wants, with which settings and notes. */
#include "site/enabled.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include "module/generation.h"
#include "module/module.h"
#include "module/running.h"
#include "site/setting.h"
#include "site/suspension.h"
#include <stdlib.h>
#include <string.h>

bool
enabled_essential(const struct loaded *l)
{
	return l->bundled && (l->m.flags & STET_ESSENTIAL) != 0;
}

static bool
is_configured(const struct conf_site *conf, const struct loaded *l)
{
	if (!l->bundled)
		return false;
	if (enabled_essential(l))
		return true;
	for (char **name = conf->modules; name != NULL && *name != NULL; name++)
		if (strcmp(*name, "*") == 0 || strcmp(*name, l->m.name) == 0)
			return true;
	return false;
}

static void
configured(const struct conf_site *conf, struct site_wants *wants)
{
	memset(wants, 0, sizeof(*wants));
	for (size_t i = 0; i < modules_count(); i++)
		wants->enabled[i] = is_configured(conf, modules_at(i));
}

/* An enabled module of ours brings those of ours that it needs and that nobody has disabled. So a
 * list of stet.conf stays good when a module becomes two. Modules stand after those that they
 * need. */
static void
bring_needed(struct site_wants *wants, const bool *decided)
{
	for (size_t i = modules_count(); i-- > 0;) {
		const struct loaded *l = modules_at(i);

		for (const char *const *need = l->m.needs; need != NULL && *need != NULL; need++) {
			const struct loaded *other = modules_find(*need);

			if (wants->enabled[i] && l->bundled && other != NULL && other->bundled &&
			    (decided == NULL || !decided[other->index]))
				wants->enabled[other->index] = true;
		}
	}
}

void
enabled_default(const struct conf_site *conf, struct site_wants *wants)
{
	configured(conf, wants);
	bring_needed(wants, NULL);
}

void
enabled_release(struct site_wants *wants)
{
	for (size_t i = 0; i < MODULES_MAX; i++)
		json_decref(wants->setting[i]);
	memset(wants->setting, 0, sizeof(wants->setting));
	for (size_t i = 0; i < MODULES_MAX; i++)
		free(wants->suspended[i]);
	memset(wants->suspended, 0, sizeof(wants->suspended));
}

static void
note_suspended(const char *name, const struct suspension *s, void *arg)
{
	const struct loaded *l = modules_find(name);
	struct site_wants *wants = arg;

	if (l != NULL && !l->bundled && wants->suspended[l->index] == NULL)
		wants->suspended[l->index] = xstrdup(s->reason);
}

static void
note_leaving(const char *name, void *arg)
{
	const struct loaded *l = modules_find(name);
	struct site_wants *wants = arg;

	if (l != NULL && !enabled_essential(l))
		wants->leaving[l->index] = true;
}

void
enabled_add_notes(struct site *site, struct site_wants *wants)
{
	suspension_each(site->conf.data, SUSPENSION_SITE, note_suspended, wants);
	disable_request_each(site->conf.data, note_leaving, wants);
}

enum stet_status
enabled_read(struct stet_call *call, struct site_wants *wants)
{
	struct conf_site conf = site_conf(call->site);
	bool decided[MODULES_MAX] = { false };
	struct stet_rows rows;

	configured(&conf, wants);
	STET_TRY(
	    stet_query(call, &rows, "SELECT module, enabled, off FROM module_state", STET_NO_ARGS));
	while (stet_row(&rows)) {
		const struct loaded *l = modules_find(stet_col_str(&rows, 0));

		if (l == NULL) {
			wants->lost = wants->lost || stet_col_int(&rows, 2) == 0;
			continue;
		}
		wants->known[l->index] = true;
		wants->off[l->index] = stet_col_int(&rows, 2) != 0;
		decided[l->index] = !stet_col_null(&rows, 1);
		if (decided[l->index] && !enabled_essential(l))
			wants->enabled[l->index] = stet_col_int(&rows, 1) != 0;
	}
	STET_TRY(stet_rows_end(&rows));
	bring_needed(wants, decided);
	for (size_t i = 0; i < modules_count(); i++)
		if (wants->enabled[i] && modules_at(i)->m.settings.count > 0)
			STET_TRY(setting_read(call, modules_at(i), &wants->setting[i]));
	return STET_OK;
}

enum stet_status
enabled_open(struct stet_call *call, const struct loaded *l, void **state)
{
	const struct loaded *owner = call->owner;
	struct running running;
	enum stet_status status;

	*state = l->m.state_size > 0 ? xcalloc(1, l->m.state_size) : NULL;
	if (l->m.open == NULL)
		return STET_OK;
	call->owner = l;
	running_enter(&running, call, l, RUNNING_OPEN, NULL);
	status = l->m.open(call, *state);
	running_leave(&running);
	call->owner = owner;
	if (status != STET_OK) {
		free(*state);
		*state = NULL;
	}
	return status;
}

bool
enabled_has_state(struct site *site, const struct loaded *l)
{
	bool open;

	pthread_mutex_lock(&site->lock);
	open = site->opened[l->index];
	pthread_mutex_unlock(&site->lock);
	return open;
}
