/* gallery.c - a plugin with the service media/1 and ops with `more`, whose structures are shorter
 * than the host's. */
#include <stet/media.h>
#include <stet/module.h>

static enum stet_status
find_media(struct stet_call *call, const char *const *ids, size_t count, struct stet_table *out)
{
	struct stet_media_item *item = stet_alloc(call, count * sizeof(*item));

	for (size_t i = 0; i < count; i++)
		item[i] = (struct stet_media_item){ .id = ids[i],
			.url = stet_printf(call, "/gallery/%s", ids[i]),
			.content_type = "image/png",
			.width = 10 + (int64_t)i,
			.height = 20 };
	*out = (struct stet_table){ item, (uint32_t)count, sizeof(*item) };
	return STET_OK;
}

static const struct stet_media_1 media = { .find = find_media };
static const struct stet_service_def services[] = { STET_SERVICE(STET_MEDIA_1, media) };

static enum stet_status
mend(struct stet_call *call)
{
	stet_put_str(stet_reply(call), NULL, "mended");
	return STET_OK;
}

static const struct stet_op ops[] = {
	{ .name = "mend", .lane = STET_WRITE, .run = mend, .more = STET_MORE_MENDS },
	{ .name = "plain", .lane = STET_WRITE, .run = mend },
};

STET_MODULE(gallery) = {
	STET_MODULE_HEAD(gallery),
	.version = "1.0",
	.summary = "Media items of a shorter structure",
	.ops = STET_TABLE(ops),
	.services = STET_TABLE(services),
};
