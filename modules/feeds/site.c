/* site.c - addresses on the site: its own, and those of items. */
#include "feeds.h"
#include <stet/settings.h>
#include <string.h>

enum stet_status
site_url(struct stet_call *call, const char **out)
{
	STET_TRY(stet_site_address(call, out));
	stet_surrogate(call, "k", "settings");
	return STET_OK;
}

bool
site_shows(const struct stet_collection *c)
{
	return c->public_read && c->routable &&
	       ((c->url_pattern != NULL && *c->url_pattern != '\0') ||
		   json_object_size(c->url_patterns) > 0);
}

enum stet_status
site_collection(struct stet_call *call, const struct stet_collection **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = stet_arg(call, "collection");

	if (schema == NULL)
		return stet_fault(call, "the schema module offers no service");
	if (schema->collection(call, slug, out) == STET_OK && site_shows(*out))
		return STET_OK;
	stet_error_clear(call);
	return stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
}

enum stet_status
site_count(struct stet_call *call, const struct stet_collection *c, int64_t *out)
{
	json_t *args =
	    stet_json_own(call, json_pack("{ss si sb ss ss}", "collection", c->slug, "limit", 1,
				    "includeTotal", 1, "status", "published", "fields", "id"));
	const char *text;
	json_t *list;
	size_t len;

	STET_TRY(stet_invoke(call, "content_list", args, &text, &len));
	list = stet_json_own(call, json_loadb(text, len, 0, NULL));
	*out = json_integer_value(json_object_get(list, "total"));
	return STET_OK;
}

/* The value of a digit of Crockford's base 32, as ULIDs have them. */
static unsigned
digit(char c)
{
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	const char *at = strchr(digits, c);

	return c != '\0' && at != NULL ? (unsigned)(at - digits) : 0;
}

const char *
site_uuid(struct stet_call *call, const char *id)
{
	unsigned char bytes[16] = { 0 };
	char text[33];

	/* 26 digits of 5 bits; the first has 3 bits. */
	for (size_t i = 0; i < 26 && id[i] != '\0'; i++) {
		unsigned carry = digit(id[i]);

		for (size_t k = sizeof(bytes); k-- > 0;) {
			carry |= (unsigned)bytes[k] << 5;
			bytes[k] = (unsigned char)carry;
			carry >>= 8;
		}
	}
	for (size_t i = 0; i < sizeof(bytes); i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	text[32] = '\0';
	return stet_printf(
	    call, "%.8s-%.4s-%.4s-%.4s-%s", text, text + 8, text + 12, text + 16, text + 20);
}

void
site_mix(struct stet_call *call, const char *text)
{
	stet_etag_mix(call, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}
