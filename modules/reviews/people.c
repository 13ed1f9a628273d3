/*
 * people.c - the users who may read an item: for mentions, and to name reviewers.
 *
 * A user is mentioned as @handle. The handle is made of the name, as slugs are ("Ann Lee" is
 * @ann-lee), or is the local part of the address if there is no name. A handle that two users share
 * mentions nobody: then the ids in `mentions` decide.
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

/* Returns true if the text has @handle as a word. */
static bool
mentions(struct stet_call *call, const char *text, const char *handle)
{
	for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at + 1, '@')) {
		size_t len = 0;

		if (at > text && is_of_handle(at[-1]))
			continue;
		while (is_of_handle(at[1 + len]))
			len++;
		while (len > 0 && at[len] == '-')
			len--;
		if (len > 0 &&
		    strcmp(stet_slugify(call, stet_strndup(call, at + 1, len)), handle) == 0)
			return true;
	}
	return false;
}

static bool
has_id(const json_t *ids, const char *id)
{
	for (size_t i = 0; i < json_array_size(ids); i++)
		if (strcmp(json_string_value(json_array_get(ids, i)), id) == 0)
			return true;
	return false;
}

/* How many of the users have each handle that is mentioned: {handle: id, or null if several}. */
static void
note_handle(json_t *handles, const struct person *p)
{
	bool taken = json_object_get(handles, p->handle) != NULL;

	(void)json_object_set_new(handles, p->handle, taken ? json_null() : json_string(p->id));
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

enum stet_status
people_mentioned(struct stet_call *call, const char *text, const json_t *given, json_t **out)
{
	json_t *handles = stet_json_own(call, json_object());
	json_t *named = stet_json_own(call, json_array()), *id;
	struct stet_rows rows;
	struct person p;
	const char *handle;

	*out = stet_json_own(call, json_array());
	if (json_array_size(given) == 0 && strchr(text, '@') == NULL)
		return STET_OK;
	STET_TRY(begin(call, &rows));
	while (next(call, &rows, &p)) {
		if (has_id(given, p.id))
			add(*out, &p);
		else if (*p.handle != '\0' && mentions(call, text, p.handle)) {
			note_handle(handles, &p);
			add(named, &p);
		}
	}
	STET_TRY(stet_rows_end(&rows));
	check_given(call, "mentions", given, *out, "is no user who may read the item");
	json_object_foreach(handles, handle, id)
	{
		for (size_t i = 0; json_is_string(id) && i < json_array_size(named); i++)
			if (json_equal(json_object_get(json_array_get(named, i), "id"), id))
				(void)json_array_append(*out, json_array_get(named, i));
	}
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
