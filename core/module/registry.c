/* registry.c - the loaded modules and drivers (module.h). */
#include "module/registry.h"
#include "conf/conf.h"
#include "module/module.h"
#include <stdatomic.h>
#include <string.h>

static struct loaded *modules[MODULES_MAX];
static atomic_size_t module_count;
static struct loaded *drivers[CONF_DRIVERS_MAX];
static atomic_size_t driver_count;

void
registry_add(struct loaded *l)
{
	size_t count = module_count;

	modules[count] = l;
	atomic_store_explicit(&module_count, count + 1, memory_order_release);
}

bool
registry_add_driver(struct loaded *l)
{
	size_t count = driver_count;

	if (count == CONF_DRIVERS_MAX)
		return false;
	drivers[count] = l;
	atomic_store_explicit(&driver_count, count + 1, memory_order_release);
	return true;
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

const struct loaded *
modules_driver(const char *name)
{
	size_t count = atomic_load_explicit(&driver_count, memory_order_acquire);

	for (size_t i = 0; i < count; i++)
		if (strcmp(drivers[i]->m.name + strlen(DRIVER_PREFIX), name) == 0)
			return drivers[i];
	return NULL;
}
