/*
 * seo.c - the member `seo`: what an item tells search engines and social networks, in collections
 * whose hasSeo is set. It is stored as JSON text beside the values of the fields (column f__seo,
 * SEO in the data of revisions), and is staged, kept in revisions and restored with them.
 */
#include "item/item.h"
#include <stet/media.h>
#include <string.h>

#define IMAGE_MAX 2048

#define SEO_MEMBERS(id_)                                                                      \
	{ "title", STET_STRING, STET_NULLABLE, STET_RANGE(0, 200) },                          \
	    { "description", STET_STRING, STET_NULLABLE, STET_RANGE(0, 500) },                \
	    { "image", STET_STRING, STET_NULLABLE, STET_RANGE(0, IMAGE_MAX),                  \
		    .about = "Its URL; a write may also name a media item by its id" },       \
	    { "canonical", STET_STRING, STET_NULLABLE, STET_RANGE(0, 2048),                   \
		    .about = "Absolute http or https URL" },                                  \
	    { "noIndex", STET_BOOLEAN, .about = "Search engines are asked to leave it out" }, \
	{                                                                                     \
		"imageId", STET_STRING, STET_NULLABLE | (id_),                                \
		    .about = "Id of the image, if it is in the media library"                 \
	}
const struct stet_member seo_shape[] = { SEO_MEMBERS(0), { 0 } };
/* Clients may send back the id, which follows from the image. */
const struct stet_member seo_in[] = { SEO_MEMBERS(STET_IGNORED), { 0 } };

static const char *const texts[] = { "title", "description", "image", "canonical" };
/* ---- reading a body ---- */

/* Finds the media item whose id or file URL the text is; NULL: none. */
static enum stet_status
find_image(struct stet_call *call, const char *text, struct stet_media_item *item)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	struct stet_table found;

	*item = (struct stet_media_item){ 0 };
	if (media == NULL)
		return STET_OK;
	STET_TRY(media->find(call, &text, 1, &found));
	stet_table_row(&found, 0, item, sizeof(*item));
	return STET_OK;
}

static enum stet_status
is_web_url(struct stet_call *call, const char *text, bool *is)
{
	const char *why;

	return stet_match(call, STET_WEB_URL, text, is, &why);
}

static enum stet_status
check_image(struct stet_call *call, json_t *seo)
{
	const char *text = json_string_value(json_object_get(seo, "image"));
	struct stet_media_item item;
	bool is;

	json_object_set_new(seo, "imageId", json_null());
	if (text == NULL)
		return STET_OK;
	STET_TRY(find_image(call, text, &item));
	if (item.id != NULL && strncmp(item.content_type, "image/", 6) != 0)
		stet_issue(call, "seo.image", "is no image: %s", item.content_type);
	if (item.id != NULL) {
		json_object_set_new(seo, "image", json_string(item.url));
		json_object_set_new(seo, "imageId", json_string(item.id));
		return STET_OK;
	}
	STET_TRY(is_web_url(call, text, &is));
	if (!is && !stet_is_local_path(text))
		stet_issue(call, "seo.image",
		    "must be the id of a media item, an http or https URL, or a path");
	return STET_OK;
}

static enum stet_status
check_canonical(struct stet_call *call, const json_t *seo)
{
	const char *text = json_string_value(json_object_get(seo, "canonical"));
	bool is = true;

	if (text != NULL)
		STET_TRY(is_web_url(call, text, &is));
	if (!is)
		stet_issue(call, "seo.canonical", "must be an absolute http or https URL");
	return STET_OK;
}

/* Merges the given members into the old ones; "" becomes null. */
static json_t *
merge(struct stet_call *call, const json_t *old, const json_t *given)
{
	json_t *seo = stet_json_own(call,
	    old != NULL ? json_copy((json_t *)(uintptr_t)old) : json_loads(SEO_NOTHING, 0, NULL));

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_t *v = json_object_get(given, texts[i]);

		if (v != NULL)
			json_object_set(seo, texts[i], json_string_length(v) > 0 ? v : json_null());
	}
	if (json_object_get(given, "noIndex") != NULL)
		json_object_set(seo, "noIndex", json_object_get(given, "noIndex"));
	return seo;
}

bool
seo_has(const struct stet_collection *c)
{
	return c->has_seo;
}

enum stet_status
seo_check(struct stet_call *call, const json_t *given, const json_t *data, json_t **out)
{
	const json_t *old = json_object_get(data, SEO);
	json_t *seo, *image;

	stet_check_shape(call, "seo", seo_in, given);
	if (!json_is_object(given))
		return STET_OK;
	seo = merge(call, old, given);
	/* An unchanged image stays valid with its id, even if the library no longer has it. */
	image = json_object_get(given, "image");
	if (image != NULL && !json_equal(image, json_object_get(old, "image")))
		STET_TRY(check_image(call, seo));
	STET_TRY(check_canonical(call, seo));
	if (old != NULL || !json_equal(seo, stet_json_own(call, json_loads(SEO_NOTHING, 0, NULL))))
		*out = seo;
	return STET_OK;
}

/* ---- stored values ---- */

void
seo_verify(struct stet_call *call, const json_t *value)
{
	stet_check_shape(call, "data." SEO, seo_in, value);
}

json_t *
seo_copy(struct stet_call *call, const json_t *seo)
{
	json_t *copy = stet_json_own(call, json_copy((json_t *)(uintptr_t)seo));

	json_object_set_new(copy, "canonical", json_null());
	return copy;
}
