/* listed.c - the modules of a site as the SDK lists them: in use, or why not. */
#include "base/arena.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include "db/rows.h"
#include "module/descriptor.h"
#include "module/module.h"
#include "site/enabled.h"
#include "site/enabling.h"
#include "site/suspension.h"
#include <string.h>

struct listing {
	struct stet_call *call;
	struct stet_module_info *info;
	size_t count, max;
};

static void
list_refused(const struct module_refusal *r, void *arg)
{
	struct listing *list = arg;
	struct stet_module_info *info;
	struct suspension suspension;
	struct stet_module *m;

	if (list->count == list->max)
		return;
	m = stet_alloc(list->call, sizeof(*m));
	m->name = stet_strdup(list->call, r->name);
	m->version = m->summary = "";
	info = &list->info[list->count++];
	*info = (struct stet_module_info){
		.module = m, .bundled = r->bundled, .refused = stet_strdup(list->call, r->reason)
	};
	if (!r->held)
		return;
	if (!enabling_lifted(list->call, r->name)) {
		if (suspension_read(suspension_home(), SUSPENSION_DAEMON, r->name, &suspension))
			info->suspended_at = stet_time_text(list->call, suspension.since);
	} else
		info->refused = "it is no longer suspended, and is about to be loaded";
}

static void
list_suspended(const char *name, const struct suspension *s, void *arg)
{
	const struct loaded *l = modules_find(name);
	struct listing *list = arg;

	if (l == NULL || l->bundled || enabling_lifted(list->call, name))
		return;
	list->info[l->index].refused = stet_strdup(list->call, s->reason);
	list->info[l->index].suspended_at = stet_time_text(list->call, s->since);
}

/* Adds refused files, except those named like a loaded module. */
static void
list_refusals(struct listing *list)
{
	size_t loaded = list->count, kept = loaded;

	modules_refused(list_refused, list);
	for (size_t i = loaded; i < list->count; i++)
		if (modules_find(list->info[i].module->name) == NULL)
			list->info[kept++] = list->info[i];
	list->count = kept;
}

static enum stet_status
list_states(struct stet_call *call, struct stet_module_info *info)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT module, installed_at, activated_at, deactivated_at FROM module_state",
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		const struct loaded *l = modules_find(stet_col_str(&rows, 0));

		if (l == NULL)
			continue;
		info[l->index].installed_at = stet_col_dup(&rows, 1);
		info[l->index].activated_at = stet_col_dup(&rows, 2);
		info[l->index].deactivated_at = stet_col_dup(&rows, 3);
	}
	return stet_rows_end(&rows);
}

/* Returns pointers to descriptors whose lists have members of this size. */
static const struct stet_module_info *const *
resized(const struct listing *list, size_t member)
{
	const struct stet_module_info **out =
	    stet_alloc(list->call, (list->count + 1) * sizeof(*out));
	struct stet_module *m;

	for (size_t i = 0; i < list->count; i++) {
		out[i] = &list->info[i];
		if (member == sizeof(struct stet_member) || out[i]->module->size == 0)
			continue; /* unchanged, or a refused file */
		m = stet_alloc(list->call, sizeof(*m));
		descriptor_copy(out[i]->module, m, &list->call->arena, member);
		list->info[i].module = m;
	}
	return out;
}

/* Returns why the module is not in use, or which migration of its tables failed. */
static const char *
why_not(struct stet_call *call, const struct loaded *l, bool leaving)
{
	const char *why = stet_strdup(call, call->gen->refusal[l->index]);

	if (why != NULL || leaving)
		return why;
	pthread_mutex_lock(&call->site->lock);
	why = stet_strdup(call, call->site->unmigrated[l->index]);
	pthread_mutex_unlock(&call->site->lock);
	return why;
}

enum stet_status
stet_modules_sized(struct stet_call *call, const struct stet_module_info *const **out,
    size_t *count, size_t member)
{
	struct listing list = { call, NULL, modules_count(), 2 * MODULES_MAX };
	struct site_wants wants;
	enum stet_status status;

	list.info = stet_alloc(call, list.max * sizeof(*list.info));
	status = enabled_read(call, &wants);
	enabled_add_notes(call->site, &wants);
	enabled_release(&wants);
	STET_TRY(status);
	for (size_t i = 0; i < list.count; i++) {
		const struct loaded *l = modules_at(i);

		list.info[i] = (struct stet_module_info){ .module = &l->m,
			.bundled = l->bundled,
			.enabled = wants.enabled[i] && !wants.leaving[i],
			.essential = enabled_essential(l),
			.member_size = l->member_size };
		if (wants.enabled[i] && !enabling_lifted(call, l->m.name))
			list.info[i].refused = why_not(call, l, wants.leaving[i]);
	}
	suspension_each(call->site->conf.data, SUSPENSION_SITE, list_suspended, &list);
	STET_TRY(list_states(call, list.info));
	list_refusals(&list);
	*out = resized(&list, member);
	*count = list.count;
	return STET_OK;
}

enum stet_status
stet_module_find_sized(
    struct stet_call *call, const char *name, const struct stet_module_info **out, size_t member)
{
	const struct stet_module_info *const *all;
	size_t count;

	STET_TRY(stet_modules_sized(call, &all, &count, member));
	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->module->name, name) == 0) {
			*out = all[i];
			return STET_OK;
		}
	return stet_fail(call, STET_NOT_FOUND, NULL, "Plugin not found: %s", name);
}
