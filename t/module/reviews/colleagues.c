/* colleagues.c - users with names, and a draft to talk about. */
#include "colleagues.h"

char draft[27];

static void
person(struct harness *h, const struct harness_user *user, const char *name)
{
	char sql[400];

	(void)snprintf(sql, sizeof(sql),
	    "INSERT INTO users (id, email, name, role, created_at, updated_at) VALUES"
	    " ('%s', '%s@example.org', ?1, %d, '2026-06-01T12:00:00.000Z',"
	    " '2026-06-01T12:00:00.000Z')",
	    user->id, user->id, user->role);
	inside_sql(h, sql, name);
}

int
colleagues_begin(void **state)
{
	struct harness *h;

	posts_begin(state);
	h = *state;
	person(h, subscriber, "Sue Reader");
	person(h, contributor, "Con Tributor");
	person(h, author, "Ann Lee");
	person(h, other_author, "Otto Other");
	person(h, editor, "Edda Editor");
	person(h, admin, "Ada Admin");
	make(h, author, draft,
	    "{'data':{'title':'Plan','body':["
	    "{'_type':'block','_key':'b1','style':'normal','children':"
	    "[{'_type':'span','_key':'s1','text':'One'}]},"
	    "{'_type':'block','_key':'b2','style':'normal','children':"
	    "[{'_type':'span','_key':'s2','text':'Two'}]}]}}");
	return 0;
}

struct outcome *
on(struct harness *h, const struct harness_user *user, const char *method, const char *below,
    const char *body, ...)
{
	char request[300];
	struct outcome *o;
	va_list args;
	char *text;

	(void)snprintf(request, sizeof(request), "%s /content/posts/%s%s", method, draft, below);
	va_start(args, body);
	text = body != NULL ? quoted(body, args) : NULL;
	va_end(args);
	o = harness_request(h, user, request, NULL, text);
	free(text);
	return o;
}

void
write_note(struct harness *h, const struct harness_user *user, char id[27], const char *body)
{
	struct outcome *o;

	harness_ok(o, on(h, user, "POST", "/notes", "%s", body));
	assert_int_equal(o->http, 201);
	(void)snprintf(id, 27, "%s", harness_text(o->data, "id"));
}
