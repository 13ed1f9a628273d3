/*
 * values.c - the arguments of a request that sets settings: collects them, and validates what a
 * shape cannot express.
 */
#include "settings.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const settings_media[] = { "logo", "favicon", "defaultOgImage", NULL };

static const struct {
	const char *name;
	enum stet_type type;
} members[] = {
	{ "title", STET_STRING },
	{ "tagline", STET_STRING },
	{ "logo", STET_OBJECT },
	{ "favicon", STET_OBJECT },
	{ "url", STET_STRING },
	{ "postsPerPage", STET_INTEGER },
	{ "dateFormat", STET_STRING },
	{ "timezone", STET_STRING },
	{ "social", STET_OBJECT },
	{ "seo", STET_OBJECT },
};
#define MEMBERS (sizeof(members) / sizeof(members[0]))

static json_t *
value_of(struct stet_call *call, const char *name, enum stet_type type)
{
	switch (type) {
	case STET_STRING:
		return json_string(stet_arg(call, name));
	case STET_INTEGER:
		return json_integer(stet_arg_int(call, name));
	default:
		return json_incref((json_t *)(uintptr_t)stet_arg_json(call, name));
	}
}

static void
take(struct stet_call *call, json_t *all, const char *name, enum stet_type type)
{
	if (stet_has(call, name) && json_object_set_new(all, name, value_of(call, name, type)) != 0)
		abort();
}

/* siteTitle of REST is stored as title. */
static void
take_site_title(struct stet_call *call, json_t *all)
{
	const char *title = stet_arg(call, "title"), *site = stet_arg(call, "siteTitle");

	if (site == NULL)
		return;
	if (title != NULL && strcmp(title, site) != 0)
		stet_issue(call, "title", "is another than siteTitle");
	if (json_object_set_new(all, "title", json_string(site)) != 0)
		abort();
}

/* ---- time zones ---- */

#define ZONEINFO "/usr/share/zoneinfo"

/* Returns true if the system has this time zone. The caller has checked that the name has no
 * dots and no leading slash. If the system has no database of time zones, any name of the right
 * form is accepted. */
static bool
zone_exists(struct stet_call *call, const char *name)
{
	const char *dir = getenv("TZDIR") != NULL ? getenv("TZDIR") : ZONEINFO;
	char magic[4] = "";
	ssize_t n = 0;
	int fd;

	if (access(dir, X_OK) != 0) {
		stet_log(
		    call, STET_WARN, "no time zones in %s: \"%s\" is taken as it is", dir, name);
		return true;
	}
	fd = open(stet_printf(call, "%s/%s", dir, name), O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	n = read(fd, magic, sizeof(magic));
	(void)close(fd);
	return n == (ssize_t)sizeof(magic) && memcmp(magic, "TZif", sizeof(magic)) == 0;
}

static void
check_zone(struct stet_call *call)
{
	const char *name = stet_arg(call, "timezone");

	if (name != NULL && *name != '\0' && !zone_exists(call, name))
		stet_issue(call, "timezone", "is not an IANA time zone, like Europe/Paris");
}

/* ---- media ---- */

#define REFERENCES 3

struct references {
	const char *id[REFERENCES], *path[REFERENCES];
	size_t count;
};

static void
refer(struct references *r, const char *path, const json_t *reference)
{
	const char *id = json_string_value(json_object_get(reference, "mediaId"));

	if (id == NULL || *id == '\0')
		return;
	r->id[r->count] = id;
	r->path[r->count++] = path;
}

static enum stet_status
check_media(struct stet_call *call)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	const json_t *seo = stet_arg_json(call, "seo");
	struct stet_table found;
	struct references r = { .count = 0 };

	refer(&r, "logo", stet_arg_json(call, "logo"));
	refer(&r, "favicon", stet_arg_json(call, "favicon"));
	refer(&r, "seo.defaultOgImage", json_object_get(seo, "defaultOgImage"));
	if (r.count == 0)
		return STET_OK;
	if (media == NULL) {
		for (size_t i = 0; i < r.count; i++)
			stet_issue(call, r.path[i], "needs media, which is not enabled");
		return STET_OK;
	}
	STET_TRY(media->find(call, r.id, r.count, &found));
	for (uint32_t i = 0; i < r.count && i < found.count; i++) {
		struct stet_media_item item;

		stet_table_row(&found, i, &item, sizeof(item));
		if (item.id == NULL)
			stet_issue(call, stet_printf(call, "%s.mediaId", r.path[i]),
			    "There is no media item %s", r.id[i]);
	}
	return STET_OK;
}

/* ---- all arguments ---- */

enum stet_status
values_take(struct stet_call *call, bool rest, json_t **out)
{
	json_t *all = stet_json_own(call, json_object());

	for (size_t i = 0; i < MEMBERS; i++)
		take(call, all, members[i].name, members[i].type);
	if (rest)
		take_site_title(call, all);
	check_zone(call);
	STET_TRY(check_media(call));
	STET_TRY(stet_issues(call));
	*out = all;
	return STET_OK;
}
