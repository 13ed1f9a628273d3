/*
 * filedriver.c - finds the driver that keeps the files of a site, and puts the file cache between
 * callers and drivers whose files are on another machine. Such a file is fetched whole, once for
 * all concurrent callers, by a thread that may block. A new file goes into the cache, too.
 */
#include "files/filedriver.h"
#include "base/log.h"
#include "call/metrics.h"
#include "call/site.h"
#include "call/tempfile.h"
#include "conf/confdriver.h"
#include "files/filecache.h"
#include "files/filedir.h"
#include "op/part.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct stet_file_driver *
filedriver_named(const struct conf_site *conf, const char *name)
{
	return strcmp(name, CONF_DIRECTORY) == 0 ? &filedir_driver : confdriver_files(conf, name);
}

const struct stet_file_driver *
filedriver_of(struct site *site)
{
	const struct conf_site conf = site_conf(site);
	const struct stet_file_driver *driver = site->files;

	if (driver == NULL)
		driver = filedriver_named(&conf, confdriver_of(&conf));
	stet_assert(driver != NULL); /* confdriver_check */
	return driver;
}

struct stet_file_place
filedriver_place(struct stet_call *call, const char *module, const char *key)
{
	struct conf_site *conf = stet_alloc(call, sizeof(*conf));

	stet_assert(stet_file_key_good(key));
	*conf = site_conf(call->site);
	return (struct stet_file_place){ conf_public(conf), module, key, NULL };
}

/* ---- storing and removing ---- */

enum stet_status
filedriver_put(const struct stet_file_driver *driver, struct stet_call *call,
    const struct stet_file_place *p, const char *from)
{
	STET_TRY(driver->put(call, p, from));
	if (driver->get != NULL)
		filecache_add(p, from);
	(void)unlink(from); /* still there if neither the driver nor the cache moved it */
	return STET_OK;
}

bool
filedriver_remove(
    const struct stet_file_driver *driver, const struct stet_file_place *p, bool named)
{
	if (driver->get != NULL)
		filecache_drop(p);
	return driver->remove(p, named);
}

/* ---- reading ---- */

/* Returns true if the driver has failed because the disk is full, and the cache was emptied. */
static bool
made_room(struct stet_call *call, const struct stet_file_place *p, enum stet_status status)
{
	if (status == STET_OK || (errno != ENOSPC && errno != EDQUOT))
		return false;
	filecache_clear(conf_of(p->conf));
	stet_error_clear(call);
	return true;
}

static enum stet_status
get(const struct stet_file_driver *driver, struct stet_call *call, const struct stet_file_place *p,
    int fd)
{
	enum stet_status status;

	errno = 0;
	status = driver->get(call, p, fd);
	if (made_room(call, p, status))
		status = ftruncate(fd, 0) == 0 ? driver->get(call, p, fd)
					       : stet_file_failed(call, p->key);
	return status;
}

enum stet_status
filedriver_sum(const struct stet_file_driver *driver, struct stet_call *call,
    const struct stet_file_place *p, char out[STET_SHA256_SIZE])
{
	enum stet_status status;

	errno = 0;
	status = driver->sum(call, p, out);
	return driver->get != NULL && made_room(call, p, status) ? driver->sum(call, p, out)
								 : status;
}

/* Fetches the file and opens it. The temporary file becomes the cached one, unless it is too
 * large. */
static enum stet_status
fetch(const struct stet_file_driver *driver, struct stet_call *call,
    const struct stet_file_place *p, int *fd)
{
	enum stet_status status;
	const char *path;

	status = tempfile_make(call, &path, fd);
	if (status == STET_OK)
		status = get(driver, call, p, *fd);
	if (status == STET_OK)
		filecache_add(p, path);
	if (status != STET_OK && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return status;
}

static enum stet_status
open_remote(const struct stet_file_driver *driver, struct stet_call *call,
    const struct stet_file_place *p, int *fd)
{
	enum stet_status status;
	bool flies;

	*fd = filecache_open(p);
	/* A worker must not wait for another machine; stet_file_here has reported that it would. */
	if (*fd < 0 && call->lane == STET_READ && op_part(call)->post != NULL)
		return stet_fail(
		    call, STET_UNAVAILABLE, NULL, "The file is not here yet, try again later");
	metrics_add(*fd >= 0 ? METRIC_KEPT_HITS : METRIC_KEPT_MISSES, 1);
	if (*fd >= 0)
		return STET_OK;
	flies = filecache_fly(p);
	*fd = filecache_open(p); /* another thread may have fetched it meanwhile */
	/* If that thread failed, or the file is too large to cache, each caller fetches it
	 * itself. */
	status = *fd >= 0 ? STET_OK : fetch(driver, call, p, fd);
	if (flies)
		filecache_landed(p);
	return status;
}

enum stet_status
filedriver_open(const struct stet_file_driver *driver, struct stet_call *call,
    const struct stet_file_place *p, int *fd)
{
	return driver->get != NULL ? open_remote(driver, call, p, fd) : driver->open(call, p, fd);
}

bool
filedriver_is_here(const struct stet_file_driver *driver, const struct stet_file_place *p)
{
	return driver->get == NULL || filecache_has(p);
}

/* ---- for drivers ---- */

void
stet_driver_asked(const char *method, const char *outcome, uint64_t sent, uint64_t received)
{
	metrics_label(FAMILY_BUCKET, method, outcome);
	metrics_add(METRIC_BUCKET_SENT, sent);
	metrics_add(METRIC_BUCKET_RECEIVED, received);
}
