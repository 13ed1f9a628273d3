/* doctor_files.c - checks the drivers that store a site's files on other machines: they answer,
 * accept the credentials, and the clocks agree. */
#include "command/doctor.h"
#include "conf/confdriver.h"
#include <errno.h>
#include <stet/driver.h>
#include <string.h>
#include <sys/stat.h>

#define SAID_MAX 1024

static void
check(struct doctor *d, const struct stet_file_driver *driver)
{
	const char *files = confdriver_of(d->site);
	bool used = strcmp(files, driver->name) == 0;
	char said[SAID_MAX] = "", elsewhere[SAID_MAX] = "";
	bool good = driver->probe(conf_public(d->site), said, sizeof(said));

	if (!used)
		(void)snprintf(elsewhere, sizeof(elsewhere),
		    "; files are not kept there (files = \"%s\")", files);
	if (good && *said != '\0')
		doctor_say(d, "files", STET_FINE, NULL, "%s%s", said, elsewhere);
	else if (!good)
		doctor_say(d, "files", used ? STET_TROUBLE : STET_NOTE,
		    "Until it does, nothing can be uploaded, and only files of the cache are"
		    " served.",
		    "%s", said);
}

static void
check_directory(struct doctor *d)
{
	const char *path = d->site->files_directory;
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (!there || !S_ISDIR(st.st_mode))
		doctor_say(d, "files", STET_TROUBLE,
		    "Make it, owned by the user of the daemon, or mount its file system: until then"
		    " there are no files.",
		    "files-directory: %s: %s", path,
		    there ? "it is no directory" : strerror(errno));
	else
		doctor_say(d, "files", STET_FINE, NULL, "%s, which no backup holds", path);
}

void
doctor_files(struct doctor *d)
{
	if (d->site->files_directory != NULL && strcmp(confdriver_of(d->site), CONF_DIRECTORY) == 0)
		check_directory(d);
	for (const struct conf_brought *b = confdriver_brought(d->site); b->driver != NULL; b++)
		if (b->driver->kind == CONF_FILES && b->driver->files->probe != NULL)
			check(d, b->driver->files);
}
