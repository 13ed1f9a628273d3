/*
 * people.c - the users who may read an item: for mentions, and to name reviewers.
 *
 * A user is mentioned as @handle. The handle is made of the name, as slugs are ("Ann Lee" is
 * @ann-lee), or is the local part of the address if there is no name. If two users share a handle,
 * one of them has to be named by id in `mentions`.
 */
#include "reviews.h"
#include <string.h>

#define USERS_MAX 1000 /* users that are looked at */
#define PAGE 20 /* of the finder */

static const struct stet_member person_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "handle", STET_STRING, STET_REQUIRED, .about = "Mention the user as @handle" },
	{ "mayReview", STET_BOOLEAN, STET_REQUIRED, .about = "May approve requests for review" },
	{ 0 },
};
const struct stet_member people_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "search", STET_STRING, .about = "Part of a name", STET_RANGE(1, 100) },
	{ 0 },
};
const struct stet_member people_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = person_shape,
	    .about = "The first 20 users who may read the item" },
	{ 0 },
};

struct person {
	const char *id, *name, *handle;
	int role;
};

static enum stet_status
begin(struct stet_call *call, struct stet_rows *rows)
{
	return stet_query(call, rows,
	    "SELECT id, name, email, role FROM users WHERE disabled = 0 AND role >= ?1"
	    " ORDER BY role DESC, created_at DESC, id DESC LIMIT ?2",
	    STET_ARGS(ROLE_INSIDE, USERS_MAX));
}

static bool
next(struct stet_call *call, struct stet_rows *rows, struct person *p)
{
	const char *name, *email;

	if (!stet_row(rows))
		return false;
	name = stet_col_str(rows, 1);
	email = stet_col_str(rows, 2);
	p->id = stet_col_dup(rows, 0);
	p->role = (int)stet_col_int(rows, 3);
	p->name = name != NULL && *name != '\0' ? stet_strdup(call, name)
						: stet_strndup(call, email, strcspn(email, "@"));
	p->handle = stet_slugify(call, p->name);
	return true;
}

/* ---- the finder ---- */

static void
put(struct stet_json *out, struct stet_call *call, const struct person *p)
{
	stet_object(out, NULL);
	stet_put_str(out, "id", p->id);
	stet_put_str(out, "name", p->name);
	stet_put_str(out, "handle", p->handle);
	stet_put_bool(out, "mayReview", stet_role_may(call, p->role, DECIDES));
	stet_close(out);
}

enum stet_status
people_list(struct stet_call *call)
{
	const char *search = stet_arg(call, "search");
	struct stet_json *out = stet_reply(call);
	struct subject s;
	struct stet_rows rows;
	struct person p;
	int count = 0;

	STET_TRY(subject_find(call, &s));
	if (search != NULL)
		search = stet_fold(call, search, strlen(search));
	STET_TRY(begin(call, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (count < PAGE && next(call, &rows, &p)) {
		if (search != NULL &&
		    strstr(stet_fold(call, p.name, strlen(p.name)), search) == NULL &&
		    strstr(p.handle, search) == NULL)
			continue;
		put(out, call, &p);
		count++;
	}
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- mentions ---- */

static bool
is_of_handle(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || (unsigned char)c >= 0x80;
}

/* A handle that a text has, and who has it. */
struct handle {
	const char *slug;
	struct person person; /* the first user who has it */
	size_t count; /* of those users */
	bool given; /* one of them is named by id */
};
struct handles {
	struct handle all[NOTE_MENTIONS_MAX];
	size_t count;
};

static struct handle *
find_handle(struct handles *h, const char *slug)
{
	for (size_t i = 0; i < h->count; i++)
		if (strcmp(h->all[i].slug, slug) == 0)
			return &h->all[i];
	return NULL;
}

/* Collects the handles that a text has as words. Records an issue if there are too many. */
static void
collect(struct stet_call *call, const char *text, struct handles *h)
{
	h->count = 0;
	for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at + 1, '@')) {
		const char *slug = "";
		size_t len = 0;

		if (at > text && is_of_handle(at[-1]))
			continue;
		while (is_of_handle(at[1 + len]))
			len++;
		while (len > 0 && at[len] == '-')
			len--;
		if (len > 0)
			slug = stet_slugify(call, stet_strndup(call, at + 1, len));
		if (len == 0 || *slug == '\0' || find_handle(h, slug) != NULL)
			continue;
		if (h->count == NOTE_MENTIONS_MAX) {
			stet_issue(call, "body", "has more than %d @handles", NOTE_MENTIONS_MAX);
			return;
		}
		h->all[h->count++] = (struct handle){ .slug = slug };
	}
}

static bool
has_id(const json_t *ids, const char *id)
{
	for (size_t i = 0; i < json_array_size(ids); i++)
		if (strcmp(json_string_value(json_array_get(ids, i)), id) == 0)
			return true;
	return false;
}

static void
add(json_t *out, const struct person *p)
{
	(void)json_array_append_new(out, json_pack("{ss ss}", "id", p->id, "name", p->name));
}

/* Records an issue for each id that no entry of `found` has. */
static void
check_given(struct stet_call *call, const char *path, const json_t *given, const json_t *found,
    const char *message)
{
	for (size_t i = 0; i < json_array_size(given); i++) {
		const char *id = json_string_value(json_array_get(given, i));
		bool is = false;

		for (size_t k = 0; k < json_array_size(found); k++)
			is |= strcmp(json_string_value(
					 json_object_get(json_array_get(found, k), "id")),
				  id) == 0;
		if (!is)
			stet_issue(call, stet_printf(call, "%s[%zu]", path, i), "%s", message);
	}
}

/* Adds the users whose handles are in the text. Records an issue about a handle that several have,
 * none of whom is named by id. */
static void
add_handles(struct stet_call *call, const struct handles *h, json_t *out)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct handle *one = &h->all[i];

		if (one->given || one->count == 0)
			continue;
		if (one->count == 1)
			add(out, &one->person);
		else
			stet_issue(call, "body",
			    "@%s is the handle of several users: name one by id in mentions",
			    one->slug);
	}
}

enum stet_status
people_mentioned(struct stet_call *call, const char *text, const json_t *given, json_t **out)
{
	struct handles handles;
	struct stet_rows rows;
	struct person p;

	*out = stet_json_own(call, json_array());
	collect(call, text, &handles);
	if (json_array_size(given) == 0 && handles.count == 0)
		return STET_OK;
	STET_TRY(begin(call, &rows));
	while (next(call, &rows, &p)) {
		struct handle *h = find_handle(&handles, p.handle);

		if (has_id(given, p.id)) {
			add(*out, &p);
			if (h != NULL)
				h->given = true;
		} else if (h != NULL && h->count++ == 0)
			h->person = p;
	}
	STET_TRY(stet_rows_end(&rows));
	check_given(call, "mentions", given, *out, "is no user who may read the item");
	add_handles(call, &handles, *out);
	if (json_array_size(*out) > NOTE_MENTIONS_MAX)
		stet_issue(call, "mentions", "are more than %d users", NOTE_MENTIONS_MAX);
	return STET_OK;
}

enum stet_status
people_deciding(struct stet_call *call, const json_t *ids, json_t **out)
{
	struct stet_rows rows;
	struct person p;

	*out = stet_json_own(call, json_array());
	if (json_array_size(ids) == 0)
		return STET_OK;
	STET_TRY(begin(call, &rows));
	while (next(call, &rows, &p))
		if (has_id(ids, p.id) && stet_role_may(call, p.role, DECIDES))
			add(*out, &p);
	STET_TRY(stet_rows_end(&rows));
	check_given(call, "reviewers", ids, *out, "is no user who may approve");
	return STET_OK;
}
