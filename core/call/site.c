/* site.c - reads a site and its generation, and counts references to generations. */
#include "call/site.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/loaded.h"
#include "conf/conf.h"
#include "http/router.h"
#include <stdlib.h>
#include <string.h>

struct conf_site
site_conf(struct site *site)
{
	struct conf_site now;

	pthread_mutex_lock(&site->lock);
	now = site->conf;
	pthread_mutex_unlock(&site->lock);
	return now;
}

const char *
site_name(const struct site *site)
{
	return __atomic_load_n(&site->conf.name, __ATOMIC_ACQUIRE);
}

struct generation *
site_generation(struct site *site)
{
	struct generation *gen;

	pthread_mutex_lock(&site->lock);
	gen = site->current;
	if (gen != NULL)
		atomic_fetch_add_explicit(&gen->refs, 1, memory_order_relaxed);
	pthread_mutex_unlock(&site->lock);
	return gen;
}

static int
op_name_order(const void *name, const void *op)
{
	const struct op *const *o = op;

	return strcmp(name, (*o)->name);
}

const struct op *
generation_op(const struct generation *gen, const char *name)
{
	struct op **op =
	    bsearch(name, gen->op_by_name, gen->op_count, sizeof(struct op *), op_name_order);

	return op != NULL ? *op : NULL;
}

const struct service *
generation_service(const struct generation *gen, const char *name)
{
	for (size_t i = 0; i < gen->service_count; i++)
		if (strcmp(gen->service[i].name, name) == 0)
			return &gen->service[i];
	return NULL;
}

/* Copies the op with lists whose members have the size that the module knows. */
static const struct stet_op *
op_resized(struct stet_call *call, const struct stet_op *op, size_t member)
{
	struct stet_op *copy = stet_alloc(call, sizeof(*copy));

	*copy = *op;
	copy->in = stet_members_sized(call, op->in, sizeof(struct stet_member), member);
	copy->out = stet_members_sized(call, op->out, sizeof(struct stet_member), member);
	return copy;
}

size_t
stet_ops_sized(struct stet_call *call, const struct stet_op_info *const **out, size_t member)
{
	size_t count = call->gen->op_count;
	const struct stet_op_info **list;
	struct stet_op_info *info;

	*out = call->gen->op_info;
	if (member == sizeof(struct stet_member))
		return count;
	list = stet_alloc(call, (count + 1) * sizeof(*list));
	info = stet_alloc(call, (count + 1) * sizeof(*info));
	for (size_t i = 0; i < count; i++) {
		info[i] = *call->gen->op_info[i];
		info[i].op = op_resized(call, info[i].op, member);
		list[i] = &info[i];
	}
	*out = list;
	return count;
}

const struct stet_op *
stet_written_op_sized(struct stet_call *call, size_t member)
{
	const struct stet_op *op = call->op != NULL ? &call->op->row : NULL;

	if (op == NULL || member == sizeof(struct stet_member))
		return op;
	return op_resized(call, op, member);
}

int
permission_order(const void *a, const void *b)
{
	const struct permission *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int
generation_role(const struct generation *gen, const char *permission)
{
	struct permission key = { .name = permission };
	const struct permission *found = bsearch(&key, gen->permission, gen->permission_count,
	    sizeof(struct permission), permission_order);

	return found != NULL ? found->role : -1;
}

void
generation_free(struct generation *gen)
{
	for (size_t i = 0; i < MODULES_MAX; i++)
		json_decref(gen->setting[i]);
	if (gen->conf != NULL)
		conf_site_drop(gen->conf);
	router_free(gen->router);
	arena_free(gen->arena);
	free(gen->arena);
	free(gen);
}

void
generation_put(struct generation *gen)
{
	struct site *site = gen->site;

	if (atomic_fetch_sub_explicit(&gen->refs, 1, memory_order_acq_rel) > 1)
		return;
	generation_free(gen);
	if (site->ended != NULL)
		site->ended(site);
}

static bool
has(const struct generation *gen, const struct loaded *l)
{
	for (size_t i = 0; i < gen->module_count; i++)
		if (gen->module[i] == l)
			return true;
	return false;
}

bool
generation_covers(const struct generation *gen, const struct generation *other)
{
	for (size_t i = 0; i < other->module_count; i++)
		if (!has(gen, other->module[i]))
			return false;
	return true;
}
