/* gallery - a plugin that offers media/1 with one picture and one text. */
#include <stet/media.h>
#include <stet/module.h>
#include <string.h>

static enum stet_status
find(struct stet_call *call, const char *const *ids, size_t count, struct stet_table *out)
{
	struct stet_media_item *items = stet_alloc(call, count * sizeof(*items));

	for (size_t i = 0; i < count; i++) {
		if (strcmp(ids[i], "picture") == 0)
			items[i] = (struct stet_media_item){ .id = "picture",
				.url = "/picture.png",
				.content_type = "image/png",
				.width = 64,
				.height = 32 };
		else if (strcmp(ids[i], "text") == 0)
			items[i] = (struct stet_media_item){
				.id = "text", .url = "/text", .content_type = "text/plain"
			};
	}
	*out = (struct stet_table){ items, (uint32_t)count, sizeof(*items) };
	return STET_OK;
}

static const struct stet_media_1 media = { .find = find };
static const struct stet_service_def services[] = { STET_SERVICE(STET_MEDIA_1, media) };

STET_MODULE(gallery) = {
	STET_MODULE_HEAD(gallery),
	.version = "1.0",
	.summary = "Two media items",
	.license = "MIT",
	.services = STET_TABLE(services),
};
