/* listener - a plugin that listens to what happens to bylines. */
#include <stdlib.h>
#include <stet/module.h>

static enum stet_status
hear(struct stet_call *call, const json_t *payload)
{
	char *text = json_dumps(payload, JSON_SORT_KEYS | JSON_COMPACT);

	stet_log(call, STET_INFO, "%s", text);
	free(text);
	return STET_OK;
}

static const struct stet_hook hooks[] = {
	STET_ON(byline_after_save, 0, hear),
	STET_ON(byline_after_delete, 0, hear),
};

STET_MODULE(listener) = {
	STET_MODULE_HEAD(listener),
	.version = "1.0",
	.summary = "Listens to bylines",
	.license = "MIT",
	.hooks = STET_TABLE(hooks),
};
