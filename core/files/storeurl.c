/* storeurl.c - URLs signed by the driver, with which clients read or store files directly. */
#include "call/call.h"
#include "call/site.h"
#include "files/filedriver.h"
#include "op/file.h"
#include <string.h>

#define URL_SECONDS 3600

bool
stet_file_has_targets(struct stet_call *call)
{
	return filedriver_of(call->site)->url != NULL;
}

bool
stet_file_has_urls(struct stet_call *call)
{
	return stet_file_origin(call) != NULL;
}

const char *
stet_file_origin(struct stet_call *call)
{
	const struct stet_file_driver *driver = filedriver_of(call->site);
	struct conf_site conf = site_conf(call->site);

	return driver->url != NULL ? driver->origin(call, conf_public(&conf)) : NULL;
}

enum stet_status
stet_file_url_sized(struct stet_call *call, const char *key, const struct stet_file_answer *theirs,
    size_t size, const char **out)
{
	const char *method = stet_request_method(call);
	struct stet_file_answer answer;
	struct stet_file_place place;
	struct stet_file_request ask;

	*out = NULL;
	if (!stet_file_has_urls(call) || !stet_file_key_good(key))
		return STET_OK;
	stet_extend(&answer, sizeof(answer), theirs, size);
	place = filedriver_place(call, call->owner->m.name, key);
	/* A signature is valid for one method only. */
	ask = (struct stet_file_request){
		.method = method != NULL && strcmp(method, "HEAD") == 0 ? "HEAD" : "GET",
		.type = answer.type != NULL ? answer.type : "application/octet-stream",
		.cache = answer.cache,
		.seconds = URL_SECONDS
	};
	ask.disposition = file_disposition(call, &answer, ask.type);
	return filedriver_of(call->site)->url(call, &place, &ask, out);
}

enum stet_status
stet_file_target(struct stet_call *call, const char *key, const char *type, int64_t size,
    int64_t seconds, const char **out)
{
	const struct stet_file_driver *driver = filedriver_of(call->site);
	const struct stet_file_request ask = {
		.method = "PUT", .type = type, .size = (uint64_t)size, .seconds = (unsigned)seconds
	};
	struct stet_file_place place;

	*out = NULL;
	if (driver->url == NULL || !stet_file_key_good(key))
		return STET_OK;
	place = filedriver_place(call, call->owner->m.name, key);
	return driver->url(call, &place, &ask, out);
}

enum stet_status
stet_file_take(struct stet_call *call, const char *key, int64_t most, struct stet_part *part)
{
	const struct stet_file_driver *driver = filedriver_of(call->site);
	struct stet_file_place place;
	uint64_t size = 0;

	if (driver->take == NULL || !stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	place = filedriver_place(call, call->owner->m.name, key);
	STET_TRY(driver->take(call, &place, (uint64_t)most, &part->path, &size));
	part->size = (size_t)size;
	return STET_OK;
}
