/* doctor_files.c - checks the drivers that store a site's files on other machines: they answer,
 * accept the credentials, and the clocks agree. */
#include "command/doctor.h"
#include "conf/confdriver.h"
#include <stet/driver.h>
#include <string.h>

#define SAID_MAX 1024

static void
check(struct doctor *d, const struct stet_file_driver *driver, bool used)
{
	char said[SAID_MAX] = "";
	bool good = driver->probe(conf_public(d->site), said, sizeof(said));

	if (good && *said != '\0')
		doctor_say(d, "files", STET_FINE, NULL, "%s%s", said,
		    used ? "" : "; files are not kept there (files = \"directory\")");
	else if (!good)
		doctor_say(d, "files", used ? STET_TROUBLE : STET_NOTE,
		    "Until it does, nothing can be uploaded, and only files of the cache are"
		    " served.",
		    "%s", said);
}

void
doctor_files(struct doctor *d)
{
	const struct conf_site *site = d->site;

	for (size_t i = 0; i < CONF_DRIVERS_MAX && site->brought[i].driver != NULL; i++) {
		const struct stet_file_driver *driver = site->brought[i].driver->files;

		if (driver->probe != NULL)
			check(d, driver,
			    site->files != NULL && strcmp(site->files, driver->name) == 0);
	}
}
