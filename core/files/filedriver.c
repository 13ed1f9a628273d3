/* filedriver.c - finds the driver that keeps the files of a site. */
#include "files/filedriver.h"
#include "base/log.h"
#include "call/site.h"
#include "files/filedir.h"
#include "files/files3.h"

#include <errno.h>
#include <string.h>

/* Drivers, by the value of the key `files` (confcheck_drivers). The first is the default. */
static const struct file_driver *const drivers[] = { &filedir_driver, &files3_driver };

const struct file_driver *
filedriver_named(const char *name)
{
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(drivers[i]->name, name) == 0)
			return drivers[i];
	return NULL;
}

const struct file_driver *
filedriver_of(struct site *site)
{
	const char *name = site_conf(site).files;
	const struct file_driver *driver = name != NULL ? filedriver_named(name) : drivers[0];

	if (site->files != NULL)
		return site->files;
	stet_assert(driver != NULL);
	return driver;
}
