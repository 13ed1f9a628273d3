/*
 * rendition.c - smaller copies of stored images. The file cache keeps them as files of the module
 * MODULE.renditions (FILECACHE_MADE), with keys KEY-FORM, where FORM is a hash of the parameters.
 * Stored files never change, so renditions do not either.
 */
#include "image/rendition.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include "call/call.h"
#include "call/site.h"
#include "call/tempfile.h"
#include "files/filecache.h"

#include <stdlib.h>
#include <stet/file.h>
#include <stet/image.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

static const enum imagewire_format formats[] = {
	[STET_IMAGE_JPEG] = IMAGEWIRE_JPEG,
	[STET_IMAGE_PNG] = IMAGEWIRE_PNG,
	[STET_IMAGE_WEBP] = IMAGEWIRE_WEBP,
};
static const enum imagewire_fit fits[] = {
	[STET_IMAGE_INSIDE] = IMAGEWIRE_INSIDE,
	[STET_IMAGE_CONTAIN] = IMAGEWIRE_CONTAIN,
	[STET_IMAGE_COVER] = IMAGEWIRE_COVER,
};

/* ---- parameters ---- */

static uint32_t
focal(int64_t given)
{
	return given == 0 ? IMAGEWIRE_FOCAL / 2 : (uint32_t)(given - 1) * (IMAGEWIRE_FOCAL / 1000);
}

/* Returns true if the module's parameters are valid. */
static bool
is_known(const struct stet_rendition *r)
{
	return (unsigned)r->fit < sizeof(fits) / sizeof(fits[0]) &&
	       (unsigned)r->format < sizeof(formats) / sizeof(formats[0]) && r->focal_x >= 0 &&
	       r->focal_x <= 1001 && r->focal_y >= 0 && r->focal_y <= 1001;
}

static enum stet_status
check(struct stet_call *call, const struct stet_rendition *r)
{
	if (r->width < 0 || r->width > STET_IMAGE_SIDE_MAX || r->height < 0 ||
	    r->height > STET_IMAGE_SIDE_MAX || r->width + r->height == 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "width",
		    "Give width or height, of 1 to %d pixels", STET_IMAGE_SIDE_MAX);
	if (r->fit != STET_IMAGE_INSIDE && (r->width == 0 || r->height == 0))
		return stet_fail(call, STET_VALIDATION_ERROR, "width",
		    "Give width and height: the box has both");
	if (r->quality < 0 || r->quality > 100)
		return stet_fail(call, STET_VALIDATION_ERROR, "quality", "must be 1 to 100");
	return is_known(r) ? STET_OK
			   : stet_fault(call, "a rendition of no known fit, format or focal point");
}

/* Makes the request. A focal point without effect is omitted, so that there is only one copy. */
static struct imagewire_ask
ask_of(const struct stet_rendition *r)
{
	bool cuts = r->fit == STET_IMAGE_COVER;

	return (struct imagewire_ask){ .task = IMAGEWIRE_MAKE,
		.width = (uint32_t)r->width,
		.height = (uint32_t)r->height,
		.fit = fits[r->fit],
		.format = formats[r->format],
		.quality = r->quality > 0 ? (uint32_t)r->quality : STET_IMAGE_QUALITY,
		.focal_x = focal(cuts ? r->focal_x : 0),
		.focal_y = focal(cuts ? r->focal_y : 0) };
}

/* ---- creation ---- */

/* Makes the rendition and adds it to the cache. Its bytes are synced before it gets its name, since
 * cached files are never checked again. */
static enum stet_status
make_from(struct stet_call *call, int in, struct imagewire_ask *ask,
    const struct stet_file_place *place, int *fd)
{
	struct imagewire_answer answer;
	enum stet_status status;
	const char *made;

	STET_TRY(tempfile_make(call, &made, fd));
	status = image_ask(call, ask, in, *fd, &answer);
	if (status == STET_OK && fdatasync(*fd) != 0)
		status = file_failed(call, made);
	if (status == STET_OK) {
		filecache_add(place, made);
		return STET_OK;
	}
	close(*fd);
	*fd = -1;
	return status;
}

static enum stet_status
make(struct stet_call *call, const char *key, struct imagewire_ask *ask,
    const struct stet_file_place *place, int *fd)
{
	enum stet_status status;
	int in;

	STET_TRY(stet_file_open(call, key, &in));
	status = make_from(call, in, ask, place, fd);
	close(in);
	return status;
}

/* Fails if the thread may not wait for a decoder. A request in the read lane then runs again in the
 * slow lane. */
static enum stet_status
open_or_refuse(struct stet_call *call, const struct stet_file_place *place, int *fd)
{
	*fd = filecache_open(place);
	if (*fd != -1)
		return STET_OK;
	call->slower = true;
	return stet_fail(call, STET_UNAVAILABLE, NULL, "The copy is not made yet, try again later");
}

/* Opens the rendition, from the cache or new. If another thread failed to make it, or the cache has
 * dropped it at once, makes it here. */
static enum stet_status
open_place(struct stet_call *call, const char *key, struct imagewire_ask *ask,
    const struct stet_file_place *place, int *fd)
{
	enum stet_status status;

	while ((*fd = filecache_open(place)) == -1) {
		if (!filecache_fly(place))
			continue;
		status =
		    (*fd = filecache_open(place)) != -1 ? STET_OK : make(call, key, ask, place, fd);
		filecache_landed(place);
		return status;
	}
	return STET_OK;
}

enum stet_status
stet_rendition_open_sized(struct stet_call *call, const char *key,
    const struct stet_rendition *theirs, size_t size, int *fd, const char **tag)
{
	const struct conf_site conf = site_conf(call->site);
	struct stet_rendition what;
	struct imagewire_ask ask;
	struct stet_file_place place = { .conf = conf_public(&conf) };
	const char *form;

	*fd = -1;
	call->asked |= ASKED_ELSE;
	stet_extend(&what, sizeof(what), theirs, size);
	STET_TRY(check(call, &what));
	if (!stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	ask = ask_of(&what);
	form = stet_printf(call, "1 %u %u %u %u %u %u %u", ask.width, ask.height, ask.fit,
	    ask.format, ask.quality, ask.focal_x, ask.focal_y);
	*tag = stet_printf(
	    call, "%s-%016llx", key, (unsigned long long)XXH3_64bits(form, strlen(form)));
	stet_assert(call->owner != NULL);
	place.module = stet_printf(call, "%s" FILECACHE_MADE, call->owner->m.name);
	place.key = *tag;
	if (call->writing || (call->lane == STET_READ && call->post != NULL))
		return open_or_refuse(call, &place, fd);
	return open_place(call, key, &ask, &place, fd);
}

/* ---- cached renditions ---- */

enum stet_status
stet_renditions_sized(
    struct stet_call *call, const char *key, bool drop, struct stet_renditions *out, size_t size)
{
	const struct conf_site conf = site_conf(call->site);
	struct stet_file_place place = { .conf = conf_public(&conf) };
	struct filecache_sum sum;
	struct stet_renditions found;

	stet_assert(call->owner != NULL && !call->writing);
	call->asked |= ASKED_ELSE;
	if (key != NULL && !stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	place.module = stet_printf(call, "%s" FILECACHE_MADE, call->owner->m.name);
	place.key = key != NULL ? stet_printf(call, "%s-", key) : "";
	sum = filecache_all(&place, drop);
	found = (struct stet_renditions){ .count = (int64_t)sum.count,
		.bytes = (int64_t)sum.bytes,
		.most = (int64_t)conf.file_cache };
	stet_extend(out, size, &found, sizeof(found));
	return STET_OK;
}
