/* driver.c - the drivers of database engines that this process has. */
#include "db/driver.h"
#include <string.h>

static const struct db_driver *drivers[DB_DRIVERS_MAX];
static size_t count;

bool
db_driver_add(const struct db_driver *driver)
{
	if (count == DB_DRIVERS_MAX)
		return false;
	drivers[count++] = driver;
	return true;
}

const struct db_driver *
db_driver_at(size_t i)
{
	return i < count ? drivers[i] : NULL;
}

const struct db_driver *
db_driver_of(const char *place)
{
	const struct db_driver *found = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(drivers[i]->scheme);

		if (strncmp(place, drivers[i]->scheme, len) == 0 &&
		    (found == NULL || len > strlen(found->scheme)))
			found = drivers[i];
	}
	return found;
}
