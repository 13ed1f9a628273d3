/*
 * derived.c - files that modules make from their stored files (stet_file_derive). The file cache
 * keeps them as files of the module MODULE.renditions (FILECACHE_MADE), with keys KEY-FORM. Stored
 * files never change, so these do not either.
 */
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "call/tempfile.h"
#include "files/filecache.h"
#include "op/part.h"

#include <ctype.h>
#include <stet/file.h>
#include <stet/table.h>
#include <string.h>
#include <unistd.h>

#define FORM_MAX 32 /* so that the file's name has less than 256 bytes */

struct making {
	const char *key; /* of the stored file */
	enum stet_status (*make)(struct stet_call *, int from, int to, void *arg);
	void *arg;
};

/* Letters and digits: the key and the form can be told apart. */
static bool
form_good(const char *form)
{
	size_t len = strlen(form);

	for (size_t i = 0; i < len; i++)
		if (!isascii((unsigned char)form[i]) || !isalnum((unsigned char)form[i]))
			return false;
	return len >= 1 && len <= FORM_MAX;
}

/* Makes the file and adds it to the cache. Its bytes are synced before it gets its name, since
 * cached files are never checked again. */
static enum stet_status
make_from(struct stet_call *call, int from, const struct making *m,
    const struct stet_file_place *place, int *fd)
{
	enum stet_status status;
	const char *made;

	STET_TRY(tempfile_make(call, &made, fd));
	status = m->make(call, from, *fd, m->arg);
	if (status == STET_OK && fdatasync(*fd) != 0)
		status = stet_file_failed(call, made);
	if (status == STET_OK) {
		filecache_add(place, made);
		return STET_OK;
	}
	close(*fd);
	*fd = -1;
	return status;
}

static enum stet_status
make(struct stet_call *call, const struct making *m, const struct stet_file_place *place, int *fd)
{
	enum stet_status status;
	int from;

	STET_TRY(stet_file_open(call, m->key, &from));
	status = make_from(call, from, m, place, fd);
	close(from);
	return status;
}

/* Fails if the thread may not wait until the file is made. A request in the read lane then runs
 * again in the slow lane. */
static enum stet_status
open_or_refuse(struct stet_call *call, const struct stet_file_place *place, int *fd)
{
	*fd = filecache_open(place);
	if (*fd != -1)
		return STET_OK;
	op_part(call)->slower = true;
	return stet_fail(call, STET_UNAVAILABLE, NULL, "The copy is not made yet, try again later");
}

/* Opens the file, from the cache or new. If another thread failed to make it, or the cache has
 * dropped it at once, makes it here. */
static enum stet_status
open_or_make(
    struct stet_call *call, const struct making *m, const struct stet_file_place *place, int *fd)
{
	enum stet_status status;

	while ((*fd = filecache_open(place)) == -1) {
		if (!filecache_fly(place))
			continue;
		status = (*fd = filecache_open(place)) != -1 ? STET_OK : make(call, m, place, fd);
		filecache_landed(place);
		return status;
	}
	return STET_OK;
}

/* Returns the name of the module under which the cache keeps files that the caller's module
 * derives. */
static const char *
maker(struct stet_call *call)
{
	stet_assert(call->owner != NULL);
	return stet_printf(call, "%s" FILECACHE_MADE, call->owner->m.name);
}

enum stet_status
stet_file_derive(struct stet_call *call, const char *key, const char *form,
    enum stet_status (*fn)(struct stet_call *, int from, int to, void *arg), void *arg, int *fd)
{
	const struct making m = { key, fn, arg };
	const struct conf_site conf = site_conf(call->site);
	struct stet_file_place place = { .conf = conf_public(&conf) };

	*fd = -1;
	call->asked |= ASKED_ELSE;
	if (!form_good(form))
		return stet_fault(call, "\"%s\" is no form of a file", form);
	if (!stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	place.module = maker(call);
	place.key = stet_printf(call, "%s-%s", key, form);
	if (call->writing || (call->lane == STET_READ && op_part(call)->post != NULL))
		return open_or_refuse(call, &place, fd);
	return open_or_make(call, &m, &place, fd);
}

enum stet_status
stet_file_derived_sized(
    struct stet_call *call, const char *key, bool drop, struct stet_file_derived *out, size_t size)
{
	const struct conf_site conf = site_conf(call->site);
	struct stet_file_place place = { .conf = conf_public(&conf) };
	struct filecache_sum sum;
	struct stet_file_derived found;

	stet_assert(!call->writing);
	call->asked |= ASKED_ELSE;
	if (key != NULL && !stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	place.module = maker(call);
	place.key = key != NULL ? stet_printf(call, "%s-", key) : "";
	sum = filecache_all(&place, drop);
	found = (struct stet_file_derived){ .count = (int64_t)sum.count,
		.bytes = (int64_t)sum.bytes,
		.most = (int64_t)conf.file_cache };
	stet_extend(out, size, &found, sizeof(found));
	return STET_OK;
}
