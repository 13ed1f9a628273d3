/* rules.c - redirects as rules of web servers, and the set of paths that have one already. */
#include <stdlib.h>
#include <stet/redirects.h>
#include <string.h>

/* ---- sets ---- */

/* FNV-1a, without a slash at the end. */
static uint64_t
hash_of(const char *path)
{
	uint64_t h = UINT64_C(14695981039346656037);
	size_t len = strlen(path);

	len -= len > 1 && path[len - 1] == '/';
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)path[i]) * UINT64_C(1099511628211);
	return h != 0 ? h : 1;
}

bool
stet_paths_has(const struct stet_paths *s, const char *path)
{
	uint64_t hash = hash_of(path);
	size_t at = s->room > 0 ? hash & (s->room - 1) : 0;

	while (s->room > 0 && s->slot[at] != 0 && s->slot[at] != hash)
		at = (at + 1) & (s->room - 1);
	return s->room > 0 && s->slot[at] == hash;
}

static void
put(struct stet_paths *s, uint64_t hash)
{
	size_t at = hash & (s->room - 1);

	while (s->slot[at] != 0 && s->slot[at] != hash)
		at = (at + 1) & (s->room - 1);
	s->count += s->slot[at] == 0;
	s->slot[at] = hash;
}

void
stet_paths_add(struct stet_paths *s, const char *path)
{
	if (s->count * 2 >= s->room) {
		struct stet_paths larger = { .room = s->room > 0 ? s->room * 2 : 1024 };

		larger.slot = calloc(larger.room, sizeof(*larger.slot));
		if (larger.slot == NULL)
			stet_out_of_memory();
		for (size_t i = 0; i < s->room; i++)
			if (s->slot[i] != 0)
				put(&larger, s->slot[i]);
		free(s->slot);
		*s = larger;
	}
	put(s, hash_of(path));
}

void
stet_paths_free(struct stet_paths *s)
{
	free(s->slot);
	*s = (struct stet_paths){ 0 };
}

/* ---- rules ---- */

/* In Netlify's, * and : are patterns, and queries are ignored. In a map of nginx, $ in a value is a
 * variable. */
bool
stet_rule_can(const char *format, const char *from, const char *to)
{
	if (strcmp(format, "netlify") == 0)
		return from[strcspn(from, "*:? ")] == '\0' && to[strcspn(to, "*: ")] == '\0';
	if (strcmp(format, "nginx") == 0)
		return from[strcspn(from, "\"\\")] == '\0' && to[strcspn(to, "$\"\\")] == '\0';
	return true;
}

void
stet_rule_put(FILE *out, const char *format, const char *from, const char *to)
{
	if (strcmp(format, "nginx") == 0)
		(void)fprintf(out, "\"%s\" \"%s\";\n", from, to);
	else
		(void)fprintf(out, "%s %s 301\n", from, to);
}
