/* registry.c - the loaded modules (module.h). */
#include "module/registry.h"
#include "module/module.h"
#include <stdatomic.h>
#include <string.h>

static struct loaded *modules[MODULES_MAX];
static atomic_size_t module_count;

void
registry_add(struct loaded *l)
{
	size_t count = module_count;

	modules[count] = l;
	atomic_store_explicit(&module_count, count + 1, memory_order_release);
}

size_t
modules_count(void)
{
	return atomic_load_explicit(&module_count, memory_order_acquire);
}

const struct loaded *
modules_at(size_t i)
{
	return i < modules_count() ? modules[i] : NULL;
}

const struct loaded *
modules_find(const char *name)
{
	size_t count = modules_count();

	for (size_t i = 0; i < count; i++)
		if (strcmp(modules[i]->m.name, name) == 0)
			return modules[i];
	return NULL;
}
