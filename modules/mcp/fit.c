/*
 * fit.c - answers of tools that fit into an assistant's context. Clients cut or refuse answers of
 * more than 25,000 tokens, so no answer is longer, unless the caller sets `whole`. An answer that
 * is too long is shortened by the first of these that is enough:
 *
 *   1. its short form, for tools that have one;
 *   2. a shorter page: the tool runs again with a smaller `limit`, or, if its answer is a list and
 *      it knows no pages, the list is cut here, and goes on by `cursor`;
 *   3. its longest values are left out, and `omitted` names them (omit.c).
 *
 * An answer that is not too long stays as the tool wrote it. With `max_bytes` the caller sets a
 * lower limit for its text.
 */
#include "mcp.h"
#include <string.h>

#define FEWER(n) ((n)*9 / 10) /* leaves a margin, since records differ in length */

/* ---- the length of an answer ---- */

/* Counts the bytes of the text and of structuredContent; bytes outside ASCII twice, since they make
 * more tokens. */
static bool
is_long(const struct fit *fit, const char *json, size_t len)
{
	size_t weight = 0;

	if (len <= fit->most / 4)
		return false;
	for (size_t i = 0; i < len && weight <= fit->most; i++)
		weight += (unsigned char)json[i] >= 0x80      ? 4
			  : json[i] == '"' || json[i] == '\\' ? 3
							      : 2;
	return weight > fit->most;
}

/* ---- which tools have short forms, and which are lists ---- */

/* The members of the short form of an answer: those of its records, and those around the list. */
static const struct short_form {
	const char *tool, *records, *around;
} short_forms[] = {
	{ "schema_list_collections", "slug,label,supports,createdAt,updatedAt", "" },
	{ "schema_get_collection", "slug,label,type,required,validation,options",
	    "slug,label,supports" },
};

static const struct short_form *
short_form(const struct stet_op_info *tool)
{
	for (size_t i = 0; i < sizeof(short_forms) / sizeof(short_forms[0]); i++)
		if (strcmp(short_forms[i].tool, tool->name) == 0)
			return &short_forms[i];
	return NULL;
}

static const struct stet_member *
member_of(const struct stet_member *shape, const char *name)
{
	for (; shape != NULL && shape->name != NULL; shape++)
		if (strcmp(shape->name, name) == 0)
			return shape;
	return NULL;
}

/* Returns the list of records of an answer: its first list. NULL: none. */
static const struct stet_member *
records_of(const struct stet_op *op)
{
	for (const struct stet_member *m = op->out; m != NULL && m->name != NULL; m++)
		if (m->type == STET_ARRAY && m->of != NULL)
			return m;
	return NULL;
}

/* Returns true if the answer is only a list, and the tool has no pages: then this file makes pages.
 */
static bool
is_cut_here(const struct stet_op_info *tool)
{
	const struct stet_op *op = tool->op;
	const struct stet_member *list = records_of(op);

	if (op->lane != STET_READ || !tool->bundled || member_of(op->in, "cursor") != NULL ||
	    member_of(op->in, "limit") != NULL)
		return false;
	return (op->flags & STET_OUT_LIST) != 0 ||
	       (list != NULL && list == op->out && list[1].name == NULL);
}

/* ---- arguments ---- */

#define LIMIT_MOST 1000
#define BUDGET_LEAST 1000

/* The descriptions are for tools_describe; in the list the instructions stand for them. */
static const struct stet_member whole_member = { "whole", STET_BOOLEAN,
	.about = "The whole answer, however long" };
static const struct stet_member budget_member = { "max_bytes", STET_INTEGER,
	STET_RANGE(BUDGET_LEAST, ANSWER_MOST / 2),
	.about = "The most bytes of the answer; it is shortened, and says how to go on" };
static const struct stet_member brief_member = { "brief", STET_BOOLEAN,
	.about = "The short form of the answer" };
static const struct stet_member fields_member = { "fields", STET_STRING,
	.about = "The only members to answer, separated by commas" };
static const struct stet_member page_members[] = {
	{ "limit", STET_INTEGER, STET_RANGE(1, LIMIT_MOST), .about = "Records in a page" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before" },
};

size_t
fit_members(const struct stet_op_info *tool, bool whole, struct stet_member out[FIT_MEMBERS])
{
	size_t n = 0;

	if (is_cut_here(tool)) {
		if (whole)
			out[n++] = page_members[0];
		out[n++] = page_members[1];
	}
	if (short_form(tool) != NULL) {
		out[n++] = brief_member;
		if (member_of(tool->op->in, "fields") == NULL)
			out[n++] = fields_member;
	}
	return n;
}

const struct stet_member *
fit_all_members(struct stet_call *call, const struct stet_op_info *tool)
{
	struct stet_member *out = stet_alloc(call, (FIT_MEMBERS + 3) * sizeof(*out));
	size_t n = fit_members(tool, true, out);

	if (member_of(tool->op->in, whole_member.name) == NULL)
		out[n++] = whole_member;
	if (member_of(tool->op->in, budget_member.name) == NULL)
		out[n++] = budget_member;
	out[n] = (struct stet_member){ 0 };
	return out;
}

static void
read_number(struct stet_call *call, const char *name, const json_t *v, struct fit *out)
{
	const bool budget = strcmp(name, "max_bytes") == 0;
	const int64_t n = json_integer_value(v), least = budget ? BUDGET_LEAST : 1,
		      most = budget ? (int64_t)ANSWER_MOST / 2 : LIMIT_MOST;

	if (!json_is_integer(v) || n < least || n > most)
		stet_issue(call, name, "must be an integer from %lld to %lld", (long long)least,
		    (long long)most);
	else if (budget)
		out->most = 2 * (size_t)n;
	else
		out->limit = n;
}

static void
read_argument(struct stet_call *call, const char *name, const json_t *v, struct fit *out)
{
	const bool yes = json_is_true(v), boolean = json_is_boolean(v);

	if (strcmp(name, "limit") == 0 || strcmp(name, "max_bytes") == 0) {
		read_number(call, name, v, out);
		return;
	}
	if (strcmp(name, "cursor") == 0 || strcmp(name, "fields") == 0) {
		*(*name == 'c' ? &out->cursor : &out->fields) = json_string_value(v);
		if (!json_is_string(v) || *json_string_value(v) == '\0')
			stet_issue(call, name, "must be a text");
		return;
	}
	if (!boolean)
		stet_issue(call, name, "must be a boolean");
	if (strcmp(name, "whole") == 0)
		out->whole = yes;
	else {
		out->brief = yes;
		out->form_said = true;
	}
}

enum stet_status
fit_take(
    struct stet_call *call, const struct stet_op_info *tool, const json_t **args, struct fit *out)
{
	const struct stet_member *m = fit_all_members(call, tool);
	json_t *rest = NULL;

	*out = (struct fit){ .tool = tool, .most = ANSWER_MOST };
	for (; m->name != NULL; m++) {
		const json_t *v = json_object_get(*args, m->name);

		if (v == NULL)
			continue;
		read_argument(call, m->name, v, out);
		if (rest == NULL)
			rest = stet_json_own(call, json_copy((json_t *)(uintptr_t)*args));
		(void)json_object_del(rest, m->name);
	}
	if (rest != NULL)
		*args = tool->op->in != NULL ? rest : NULL;
	out->args = *args;
	return stet_issues(call);
}

/* ---- an answer as values ---- */

/* Parses the answer to an object: a list becomes its member `items`. */
static json_t *
parse(struct stet_call *call, const char *json, size_t len)
{
	json_t *v = json_loadb(json, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL), *root = v;

	if (v != NULL && !json_is_object(v)) {
		root = json_object();
		(void)json_object_set_new(root, json_is_array(v) ? "items" : "value", v);
	}
	return stet_json_own(call, root);
}

static void
write(struct stet_call *call, const json_t *root, const char **json, size_t *len)
{
	struct stet_json *out = stet_json_new(call);

	stet_put_json(out, NULL, root);
	*json = stet_json_text(out, len);
}

static json_t *
list_in(const struct fit *fit, const json_t *root)
{
	const struct stet_member *m = records_of(fit->tool->op);
	const bool bare = (fit->tool->op->flags & STET_OUT_LIST) != 0;

	return json_object_get(root, bare ? "items" : m != NULL ? m->name : "");
}

/* ---- fewer members ---- */

static bool
names(const char *list, const char *name)
{
	const size_t want = strlen(name);

	for (size_t len; *list != '\0'; list += len + (list[len] == ',')) {
		const char *begin = list + strspn(list, " ");

		len = strcspn(list, ",");
		if ((size_t)(list + len - begin) >= want && strncmp(begin, name, want) == 0 &&
		    strspn(begin + want, " ") == (size_t)(list + len - begin) - want)
			return true;
	}
	return false;
}

/* Keeps only these members of each record. Fails if a name is not a member of the records. */
static enum stet_status
filter(struct stet_call *call, const struct fit *fit, json_t *root, const char *members)
{
	const struct stet_member *of = (fit->tool->op->flags & STET_OUT_LIST) != 0
					   ? fit->tool->op->out
					   : records_of(fit->tool->op)->of;
	json_t *record, *v;
	const char *name;
	void *next;
	size_t i;

	for (const char *s = members; *s != '\0'; s += strcspn(s, ","), s += *s == ',') {
		name = stet_strndup(call, s + strspn(s, " "), strcspn(s + strspn(s, " "), ", "));
		if (*name != '\0' && member_of(of, name) == NULL)
			stet_issue(call, "fields", "there is no member \"%.64s\"", name);
	}
	STET_TRY(stet_issues(call));
	json_array_foreach(list_in(fit, root), i, record) json_object_foreach_safe(
	    record, next, name, v) if (!names(members, name))(void) json_object_del(record, name);
	return STET_OK;
}

/* Applies the short form, which also leaves out members that are false. */
static enum stet_status
shorten(struct stet_call *call, const struct fit *fit, json_t *root)
{
	const struct short_form *form = short_form(fit->tool);
	json_t *record, *list = list_in(fit, root), *v;
	const char *name;
	void *next;
	size_t i;

	STET_TRY(filter(call, fit, root, form->records));
	json_array_foreach(list, i, record) json_object_foreach_safe(
	    record, next, name, v) if (json_is_false(v))(void) json_object_del(record, name);
	json_object_foreach_safe(root, next, name, v) if (v != list && !names(form->around, name))(
	    void) json_object_del(root, name);
	(void)json_object_set_new(root, "brief", json_true());
	return STET_OK;
}

/* ---- pages that are cut here ---- */

/* Returns the name that binds a cursor to its list: the tool with these arguments. */
static const char *
listing(struct stet_call *call, const struct fit *fit)
{
	const char *args = "";
	size_t len;

	if (json_object_size(fit->args) > 0)
		write(call, fit->args, &args, &len);
	return stet_printf(call, "%s %s", fit->tool->name, args);
}

/* Returns true if the caller asks for a page that is cut here. */
static bool
is_paged(const struct fit *fit)
{
	return fit->limit > 0 || fit->cursor != NULL;
}

/* The first record of a page, and the form of the records. */
struct page {
	size_t from;
	bool brief;
};

static enum stet_status
page_of(struct stet_call *call, const struct fit *fit, struct page *out)
{
	const json_t *key = NULL;
	const char *form;

	*out = (struct page){ 0, fit->brief };
	if (fit->cursor == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(call, fit->cursor, listing(call, fit), &key, &form));
	out->from = (size_t)json_integer_value(key);
	out->brief = fit->form_said ? fit->brief : strcmp(form, "brief") == 0;
	return STET_OK;
}

/* Keeps the records of the page: as many as the caller wants and as fit. */
static void
cut(struct stet_call *call, const struct fit *fit, json_t *root, const struct page *p)
{
	json_t *list = list_in(fit, root), *page = stet_json_own(call, json_array());
	const size_t count = json_array_size(list);
	size_t weight = 300, i; /* 300: for the members around the list */

	for (i = p->from; i < count; i++) {
		json_t *record = json_array_get(list, i);

		weight += weight_of(record) + 2;
		if (i > p->from && !fit->whole && weight > fit->most)
			break;
		if (fit->limit > 0 && i - p->from == (size_t)fit->limit)
			break;
		(void)json_array_append(page, record);
	}
	(void)json_array_clear(list);
	(void)json_array_extend(list, page);
	if (i < count)
		(void)json_object_set_new(root, "nextCursor",
		    json_string(stet_cursor_make(call, listing(call, fit),
			stet_json_own(call, json_integer((json_int_t)i)),
			p->brief ? "brief" : "whole")));
}

/* ---- shorter pages of tools that know pages ---- */

/* Runs the tool again, with a smaller limit each time, until its answer fits or has one record. */
static enum stet_status
run_shorter(struct stet_call *call, const struct fit *fit, const char **json, size_t *len)
{
	json_t *args = json_copy((json_t *)(uintptr_t)fit->args);
	size_t limit = SIZE_MAX;

	stet_json_own(call, args = args != NULL ? args : json_object());
	while (limit > 1 && is_long(fit, *json, *len)) {
		const json_t *root = parse(call, *json, *len);
		const size_t n = json_array_size(list_in(fit, root)), all = weight_of(root);

		if (n < 2)
			return STET_OK;
		limit = FEWER(n * fit->most / all);
		limit = limit < 1 ? 1 : limit < n ? limit : n - 1;
		(void)json_object_set_new(args, "limit", json_integer((json_int_t)limit));
		STET_TRY(stet_invoke(call, fit->tool->name, args, json, len));
	}
	return STET_OK;
}

static bool
knows_pages(const struct stet_op_info *tool)
{
	return tool->op->lane == STET_READ && tool->bundled &&
	       member_of(tool->op->in, "limit") != NULL &&
	       member_of(tool->op->in, "cursor") != NULL;
}

/* ---- the answer ---- */

static bool
is_too_long(const struct fit *fit, const json_t *root)
{
	return !fit->whole && weight_of(root) > fit->most;
}

/* Applies the form that the caller or the cursor names. Otherwise an answer that is too long gets
 * its short form. */
static enum stet_status
give_form(struct stet_call *call, const struct fit *fit, json_t *root, struct page *page)
{
	if (fit->fields != NULL)
		return filter(call, fit, root, fit->fields);
	if (!page->brief && !fit->form_said && short_form(fit->tool) != NULL && !is_paged(fit))
		page->brief = is_too_long(fit, root);
	return page->brief ? shorten(call, fit, root) : STET_OK;
}

static enum stet_status
reduce(struct stet_call *call, const struct fit *fit, json_t *root)
{
	struct page page;

	STET_TRY(page_of(call, fit, &page));
	STET_TRY(give_form(call, fit, root, &page));
	if (is_cut_here(fit->tool) && (is_paged(fit) || is_too_long(fit, root)))
		cut(call, fit, root, &page);
	if (is_too_long(fit, root))
		omit_longest(call, fit->tool->op, root, fit->most);
	return STET_OK;
}

enum stet_status
fit_answer(struct stet_call *call, const struct fit *fit, const char **json, size_t *len)
{
	const bool asked = fit->fields != NULL || fit->brief || is_paged(fit);
	json_t *root;

	if (!asked && (fit->whole || !is_long(fit, *json, *len)))
		return STET_OK;
	if (knows_pages(fit->tool))
		STET_TRY(run_shorter(call, fit, json, len));
	if (!asked && !is_long(fit, *json, *len))
		return STET_OK;
	if ((root = parse(call, *json, *len)) == NULL)
		return stet_fault(call, "%s answered what is no JSON", fit->tool->name);
	STET_TRY(reduce(call, fit, root));
	write(call, root, json, len);
	return STET_OK;
}
