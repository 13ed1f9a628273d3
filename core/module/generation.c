/*
 * generation.c - compiles the enabled modules of a site: ops, routes, hook chains, permissions,
 * services.
 *
 * A module that conflicts with others must be left out completely. So an attempt ends at the first
 * conflict, that module is switched off, and all others are compiled anew.
 */
#include "module/generation.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/loaded.h"
#include "call/site.h"
#include "call/status.h"
#include "conf/conf.h"
#include "http/http1.h"
#include "http/router.h"
#include "module/module.h"
#include "module/oprow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API_ROOT "/_cms/api"

/* One attempt. It ends at the first module that cannot be compiled. */
struct build {
	struct generation *gen;
	struct arena *arena;
	bool on[MODULES_MAX];
	char why[256];
};

static const char *__attribute__((format(printf, 2, 3)))
refuse(struct build *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(b->why, sizeof(b->why), fmt, ap);
	va_end(ap);
	return b->why;
}

static char *__attribute__((format(printf, 2, 3))) format(struct arena *arena, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	stet_assert(n >= 0);
	text = arena_alloc(arena, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return text;
}

/* ---- ops ---- */

static enum http_method
route_method(const char *route)
{
	size_t len = strcspn(route, " ");

	for (enum http_method m = 0; m < HTTP_OTHER; m++)
		if (strncmp(http1_method_name[m], route, len) == 0 &&
		    http1_method_name[m][len] == '\0')
			return m;
	stet_assert(!"a route that descriptor_check let through");
	return HTTP_OTHER;
}

char *
generation_path(struct arena *arena, const struct loaded *l, const struct stet_op *row)
{
	const char *path = row->route + strcspn(row->route, " ") + 1;

	if ((row->flags & STET_AT_ROOT) != 0)
		return format(arena, "%s", path);
	if (path[1] == '\0')
		path = "";
	if (l->bundled)
		return format(arena, "%s%s", API_ROOT, path);
	return format(arena, "%s/plugins/%s%s", API_ROOT, l->m.name, path);
}

static const char *
add_route(struct build *b, struct op *op)
{
	char *whole;
	const struct op *other;

	if (op->row.route == NULL)
		return NULL;
	op->method = route_method(op->row.route);
	whole = generation_path(b->arena, op->owner, &op->row);
	if ((other = router_at(b->gen->router, op->method, whole)) != NULL)
		return refuse(b, "its route %s %s is that of %s in module %s",
		    http1_method_name[op->method], whole, other->name, other->owner->m.name);
	if (!router_add(b->gen->router, op->method, whole, op))
		return refuse(b, "its route %s cannot be added", op->row.route);
	op->route = format(b->arena, "%s %s", http1_method_name[op->method], whole);
	return NULL;
}

static const char *
add_ops(struct build *b, const struct loaded *l)
{
	size_t first = b->gen->op_count;
	const char *why;

	for (uint32_t i = 0; i < l->m.ops.count; i++) {
		struct op *op = &b->gen->op[b->gen->op_count];

		stet_table_row(&l->m.ops, i, &op->row, sizeof(op->row));
		op->owner = l;
		op->name = l->bundled ? format(b->arena, "%s", op->row.name)
				      : format(b->arena, "%s__%s", l->m.name, op->row.name);
		oprow_compile(op);
		b->gen->op_count++;
		for (size_t k = 0; k + 1 < b->gen->op_count; k++)
			if (strcmp(b->gen->op[k].name, op->name) == 0)
				return refuse(b, "its operation %s is one of module %s too",
				    op->name, b->gen->op[k].owner->m.name);
		if ((why = add_route(b, op)) != NULL)
			return why;
	}
	oprow_names(b->arena, b->gen->op + first, b->gen->op_count - first);
	return NULL;
}

/* Returns what follows `place` in a path at or below it, otherwise NULL. */
static const char *
below(const char *path, const char *place)
{
	size_t len = strlen(place);

	if (path == NULL || strncmp(path, place, len) != 0 ||
	    (path[len] != '/' && path[len] != '\0'))
		return NULL;
	return path + len;
}

/* Returns true if changes at this path of a route of `owner` are guarded by a declaration of
 * `l`. */
static bool
is_guarded(const struct loaded *l, const struct loaded *owner, const char *path)
{
	const char *const *place = l->m.guarded;
	char own_place[sizeof("/plugins/") + MODULE_NAME_MAX];

	snprintf(own_place, sizeof(own_place), "/plugins/%s", l->m.name);
	path = below(path, API_ROOT);
	if (!l->bundled)
		path = l != owner ? NULL : below(path, own_place);
	for (; place != NULL && *place != NULL; place++)
		if (below(path, *place) != NULL)
			return true;
	return false;
}

/* Guarded ops need X-CMS-Request with any credentials. Ops that use none, such as signed upload
 * targets, do not, since there is nothing to misuse. */
static void
set_guards(struct build *b)
{
	for (size_t i = 0; i < b->gen->op_count; i++) {
		struct op *op = &b->gen->op[i];

		if (op->route == NULL || op->method == HTTP_GET ||
		    (op->row.flags & STET_PUBLIC) != 0)
			continue;
		for (size_t k = 0; k < b->gen->module_count && !op->csrf; k++)
			op->csrf = is_guarded(b->gen->module[k], op->owner, strchr(op->route, '/'));
	}
}

static int
op_order(const void *a, const void *b)
{
	const struct op *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void
sort_ops(struct build *b)
{
	struct generation *gen = b->gen;
	struct stet_op_info *info;

	gen->op_by_name = arena_alloc(b->arena, (gen->op_count + 1) * sizeof(struct op *));
	gen->op_info = arena_alloc(b->arena, (gen->op_count + 1) * sizeof(*gen->op_info));
	info = arena_alloc(b->arena, (gen->op_count + 1) * sizeof(*info));
	for (size_t i = 0; i < gen->op_count; i++)
		gen->op_by_name[i] = &gen->op[i];
	qsort(gen->op_by_name, gen->op_count, sizeof(struct op *), op_order);
	for (size_t i = 0; i < gen->op_count; i++) {
		const struct op *op = gen->op_by_name[i];

		info[i] = (struct stet_op_info){ op->name, op->owner->m.name, &op->row,
			op->owner->bundled, op->role, op->route, op->csrf };
		gen->op_info[i] = &info[i];
	}
}

/* ---- permissions, services, field types ---- */

/* Adds a module's permissions; the array stays sorted. */
static const char *
add_permissions(struct build *b, const struct loaded *l)
{
	struct generation *gen = b->gen;

	for (uint32_t i = 0; i < l->m.permissions.count; i++) {
		struct stet_permission row;

		stet_table_row(&l->m.permissions, i, &row, sizeof(row));
		if (generation_role(gen, row.name) >= 0)
			return refuse(
			    b, "its permission %s is declared by another module", row.name);
		gen->permission[gen->permission_count++] =
		    (struct permission){ row.name, row.role };
		qsort(gen->permission, gen->permission_count, sizeof(struct permission),
		    permission_order);
	}
	return NULL;
}

static const char *
add_services(struct build *b, const struct loaded *l)
{
	struct generation *gen = b->gen;

	for (uint32_t i = 0; i < l->m.services.count; i++) {
		struct stet_service_def row;

		stet_table_row(&l->m.services, i, &row, sizeof(row));
		for (size_t k = 0; k < gen->service_count; k++)
			if (strcmp(gen->service[k].name, row.name) == 0)
				return refuse(b, "its service %s is that of module %s", row.name,
				    gen->service[k].owner->m.name);
		gen->service[gen->service_count++] = (struct service){ row.name, row.functions, l };
	}
	return NULL;
}

static const char *
add_field_types(struct build *b, const struct loaded *l)
{
	struct generation *gen = b->gen;

	for (uint32_t i = 0; i < l->m.field_types.count; i++) {
		struct field_type_slot *slot = &gen->field_type[gen->field_type_count];

		stet_table_row(&l->m.field_types, i, &slot->type, sizeof(slot->type));
		slot->owner = slot->type.owner = l;
		/* Before STET_STORE_BOOLEAN existed, the TypeScript type identified booleans. */
		if (slot->type.storage == STET_STORE_INTEGER && slot->type.type_name != NULL &&
		    strcmp(slot->type.type_name, "boolean") == 0)
			slot->type.storage = STET_STORE_BOOLEAN;
		for (size_t k = 0; k < gen->field_type_count; k++)
			if (strcmp(gen->field_type[k].type.name, slot->type.name) == 0)
				return refuse(b, "its field type %s is that of module %s",
				    slot->type.name, gen->field_type[k].owner->m.name);
		gen->field_type_count++;
	}
	return NULL;
}

static const char *
add_importers(struct build *b, const struct loaded *l)
{
	struct generation *gen = b->gen;

	for (uint32_t i = 0; i < l->m.importers.count; i++) {
		struct importer_slot *slot = &gen->importer[gen->importer_count];

		stet_table_row(&l->m.importers, i, &slot->row, sizeof(slot->row));
		slot->owner = l;
		for (size_t k = 0; k < gen->importer_count; k++)
			if (strcmp(gen->importer[k].row.name, slot->row.name) == 0)
				return refuse(b, "its importer %s is that of module %s",
				    slot->row.name, gen->importer[k].owner->m.name);
		gen->importer_count++;
	}
	return NULL;
}

static const char *
add_includes(struct build *b, const struct loaded *l)
{
	struct generation *gen = b->gen;

	for (uint32_t i = 0; i < l->m.includes.count; i++) {
		struct include_slot *slot = &gen->include[gen->include_count];

		stet_table_row(&l->m.includes, i, &slot->row, sizeof(slot->row));
		slot->owner = l;
		for (size_t k = 0; k < gen->include_count; k++)
			if (strcmp(gen->include[k].row.name, slot->row.name) == 0)
				return refuse(b, "its include %s is that of module %s",
				    slot->row.name, gen->include[k].owner->m.name);
		gen->include_count++;
	}
	return NULL;
}

static void
add_scopes(struct build *b, const struct loaded *l)
{
	for (uint32_t i = 0; i < l->m.scopes.count; i++)
		stet_table_row(
		    &l->m.scopes, i, &b->gen->scope[b->gen->scope_count++], sizeof(*b->gen->scope));
}

static const char *
add_statuses(struct build *b, const struct loaded *l)
{
	const struct stet_status_def *rows = l->m.statuses.row;
	struct generation *gen = b->gen;

	for (uint32_t i = 0; i < l->m.statuses.count; i++) {
		for (size_t k = 0; k < gen->module_count; k++)
			if (status_of(gen->module[k], rows[i].name) != NULL)
				return refuse(b, "its status %s is that of module %s", rows[i].name,
				    gen->module[k]->m.name);
		if ((rows[i].flags & STET_HOOK_FAILED) != 0) {
			if (gen->hook_failed != STET_INTERNAL_ERROR)
				return refuse(b, "its status %s is for failed hooks, as %s is",
				    rows[i].name, stet_status_name(gen->hook_failed));
			gen->hook_failed = rows[i].number;
		}
		gen->status[gen->status_count++] = &rows[i];
	}
	return NULL;
}

static bool
has_command(const struct loaded *l, const char *words)
{
	struct stet_command row;

	for (uint32_t i = 0; i < l->m.commands.count; i++) {
		stet_table_row(&l->m.commands, i, &row, sizeof(row));
		if (strcmp(row.words, words) == 0)
			return true;
	}
	return false;
}

/* `stet` looks commands up in all loaded modules, and takes the first. */
static const char *
check_commands(struct build *b, const struct loaded *l)
{
	for (uint32_t i = 0; i < l->m.commands.count; i++) {
		struct stet_command row;

		stet_table_row(&l->m.commands, i, &row, sizeof(row));
		for (size_t k = 0; k < b->gen->module_count; k++)
			if (has_command(b->gen->module[k], row.words))
				return refuse(b, "its command \"%s\" is that of module %s",
				    row.words, b->gen->module[k]->m.name);
	}
	return NULL;
}

/* ---- chains ---- */

/* Inserts the link after all of the same or a lower order: equal ones stay in load order. */
static void
link_add(struct chain *chain, struct link link)
{
	size_t at = chain->count++;

	while (at > 0 && chain->link[at - 1].order > link.order) {
		chain->link[at] = chain->link[at - 1];
		at--;
	}
	chain->link[at] = link;
}

static void
compile_chains(struct build *b)
{
	size_t count[STET_HOOK_POINTS] = { 0 };
	struct generation *gen = b->gen;
	struct stet_hook row;

	for (size_t i = 0; i < gen->module_count; i++)
		for (uint32_t k = 0; k < gen->module[i]->m.hooks.count; k++) {
			stet_table_row(&gen->module[i]->m.hooks, k, &row, sizeof(row));
			count[row.at]++;
		}
	for (size_t at = 0; at < STET_HOOK_POINTS; at++)
		gen->chain[at].link = arena_alloc(b->arena, (count[at] + 1) * sizeof(struct link));
	for (size_t i = 0; i < gen->module_count; i++)
		for (uint32_t k = 0; k < gen->module[i]->m.hooks.count; k++) {
			stet_table_row(&gen->module[i]->m.hooks, k, &row, sizeof(row));
			link_add(&gen->chain[row.at],
			    (struct link){ gen->module[i], row.fn, row.order });
		}
}

/* ---- the whole generation ---- */

static const char *
check_needs(struct build *b, const struct loaded *l)
{
	const char *const *need = l->m.needs;

	for (; need != NULL && *need != NULL; need++) {
		const struct loaded *other = modules_find(*need);

		if (other == NULL || !b->on[other->index])
			return refuse(b, "it needs the module %s, which is not enabled", *need);
	}
	return NULL;
}

static const char *
add_module(struct build *b, const struct loaded *l)
{
	const char *why;

	if ((why = check_needs(b, l)) != NULL || (why = add_permissions(b, l)) != NULL ||
	    (why = add_services(b, l)) != NULL || (why = add_field_types(b, l)) != NULL ||
	    (why = add_importers(b, l)) != NULL || (why = add_includes(b, l)) != NULL ||
	    (why = add_statuses(b, l)) != NULL || (why = check_commands(b, l)) != NULL ||
	    (why = add_ops(b, l)) != NULL)
		return why;
	add_scopes(b, l);
	b->gen->module[b->gen->module_count++] = l;
	return NULL;
}

/* Resolves permissions of ops. A permission may belong to a module that loads later, so this
 * comes last. */
static const struct loaded *
resolve_roles(struct build *b)
{
	for (size_t i = 0; i < b->gen->op_count; i++) {
		struct op *op = &b->gen->op[i];

		if (op->row.permission == NULL)
			continue;
		op->role = generation_role(b->gen, op->row.permission);
		if (op->role >= 0)
			continue;
		refuse(b,
		    "its operation %s needs the permission %s, which no enabled module declares",
		    op->row.name, op->row.permission);
		return op->owner;
	}
	return NULL;
}

/* Resolves the statuses of faults, as resolve_roles does permissions. */
static const struct loaded *
resolve_faults(struct build *b)
{
	for (size_t i = 0; i < b->gen->op_count; i++) {
		struct op *op = &b->gen->op[i];
		const struct stet_status_def *row = NULL;

		if (op->row.fault == NULL)
			continue;
		for (size_t k = 0; row == NULL && k < b->gen->module_count; k++)
			row = status_of(b->gen->module[k], op->row.fault);
		if (row == NULL) {
			refuse(b,
			    "its operation %s names the status %s, which no enabled module brings",
			    op->row.name, op->row.fault);
			return op->owner;
		}
		op->row.error = row->number;
	}
	return NULL;
}

static void
make_room(struct build *b)
{
	size_t ops = 1, permissions = 1, services = 1, field_types = 1, scopes = 1, statuses;
	size_t importers = 1, includes = 1;
	const struct stet_status_def *core;
	struct generation *gen = b->gen;

	gen->hook_failed = STET_INTERNAL_ERROR;
	gen->status_count = statuses = status_core(&core);
	for (size_t i = 0; i < modules_count(); i++) {
		const struct stet_module *m = &modules_at(i)->m;

		if (!b->on[i])
			continue;
		ops += m->ops.count;
		permissions += m->permissions.count;
		services += m->services.count;
		field_types += m->field_types.count;
		importers += m->importers.count;
		includes += m->includes.count;
		statuses += m->statuses.count;
		scopes += m->scopes.count;
	}
	gen->scope = arena_alloc(b->arena, scopes * sizeof(*gen->scope));
	gen->status = arena_alloc(b->arena, statuses * sizeof(*gen->status));
	for (size_t i = 0; i < gen->status_count; i++)
		gen->status[i] = &core[i];
	gen->op = arena_alloc(b->arena, ops * sizeof(*gen->op));
	gen->permission = arena_alloc(b->arena, permissions * sizeof(*gen->permission));
	gen->service = arena_alloc(b->arena, services * sizeof(*gen->service));
	gen->field_type = arena_alloc(b->arena, field_types * sizeof(*gen->field_type));
	gen->importer = arena_alloc(b->arena, importers * sizeof(*gen->importer));
	gen->include = arena_alloc(b->arena, includes * sizeof(*gen->include));
}

/* Compiles the modules that are `on`. Returns NULL, or the module that cannot be compiled, with
 * the reason in b->why. */
static const struct loaded *
build(struct build *b)
{
	const struct loaded *bad;

	b->gen = xcalloc(1, sizeof(*b->gen));
	b->gen->arena = b->arena = xcalloc(1, sizeof(*b->arena));
	b->gen->router = router_new();
	make_room(b);
	for (size_t i = 0; i < modules_count(); i++)
		if (b->on[i] && add_module(b, modules_at(i)) != NULL)
			return modules_at(i);
	if ((bad = resolve_roles(b)) != NULL || (bad = resolve_faults(b)) != NULL)
		return bad;
	set_guards(b);
	sort_ops(b);
	compile_chains(b);
	return NULL;
}

struct generation *
generation_new(struct site *site, const struct conf_site *conf, const struct site_wants *wants)
{
	struct build b = { .gen = NULL };
	char *refusal[MODULES_MAX] = { NULL };
	const struct loaded *bad;

	for (size_t i = 0; i < MODULES_MAX; i++) {
		b.on[i] = wants->enabled[i] && wants->suspended[i] == NULL && !wants->leaving[i];
		if (wants->enabled[i] && wants->suspended[i] != NULL)
			refusal[i] = xstrdup(wants->suspended[i]);
	}
	while ((bad = build(&b)) != NULL) {
		generation_free(b.gen);
		b.on[bad->index] = false;
		refusal[bad->index] = xstrdup(b.why);
	}
	for (size_t i = 0; i < MODULES_MAX; i++) {
		if (refusal[i] != NULL)
			b.gen->refusal[i] = format(b.arena, "%s", refusal[i]);
		free(refusal[i]);
		b.gen->setting[i] = json_incref(wants->setting[i]);
	}
	b.gen->site = site;
	b.gen->number = atomic_fetch_add(&site->generations, 1) + 1;
	b.gen->conf = arena_alloc(b.arena, sizeof(*b.gen->conf));
	*b.gen->conf = conf_site_dup(conf);
	atomic_init(&b.gen->refs, 1);
	pthread_mutex_lock(&site->lock);
	site->live++;
	pthread_mutex_unlock(&site->lock);
	return b.gen;
}
