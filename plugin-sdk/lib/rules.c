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
put_hash(struct stet_paths *s, uint64_t hash)
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
				put_hash(&larger, s->slot[i]);
		free(s->slot);
		*s = larger;
	}
	put_hash(s, hash_of(path));
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

/* ---- pages of rules ---- */

struct stet_rules {
	const char *format;
	struct stet_paths here, written;
	enum stet_status (*put)(struct stet_call *, void *, const char *, size_t);
	void *put_arg;
	/* The page that is being written. */
	enum stet_status (*page)(struct stet_call *, void *, FILE *);
	void *page_arg;
};

static void
forget(void *arg)
{
	struct stet_rules *r = arg;

	stet_paths_free(&r->here);
	stet_paths_free(&r->written);
}

struct stet_rules *
stet_rules_new(struct stet_call *call, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg)
{
	struct stet_rules *r = stet_alloc(call, sizeof(*r));

	*r = (struct stet_rules){ .format = format, .put = put, .put_arg = arg };
	stet_defer(call, forget, r);
	return r;
}

void
stet_rules_here(struct stet_rules *r, const char *path)
{
	stet_paths_add(&r->here, path);
}

bool
stet_rules_take(struct stet_rules *r, const char *from, const char *to)
{
	if (from == NULL || to == NULL || !stet_rule_can(r->format, from, to) ||
	    stet_paths_has(&r->here, from) || stet_paths_has(&r->written, from))
		return false;
	stet_paths_add(&r->written, from);
	return true;
}

static enum stet_status
write_page(struct stet_call *call, void *arg)
{
	struct stet_rules *r = arg;
	enum stet_status status;
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (to == NULL)
		stet_out_of_memory();
	status = r->page(call, r->page_arg, to);
	if (fclose(to) != 0)
		stet_out_of_memory();
	if (status == STET_OK && len > 0)
		status = r->put(call, r->put_arg, text, len);
	free(text);
	return status;
}

enum stet_status
stet_rules_page(struct stet_call *call, struct stet_rules *r,
    enum stet_status (*page)(struct stet_call *, void *, FILE *), void *arg)
{
	r->page = page;
	r->page_arg = arg;
	return stet_scope(call, write_page, r);
}
