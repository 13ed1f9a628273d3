/*
 * terms.c - terms of a source. The first pass notes which terms are wanted in which locale; then
 * they are made, in the order of the file, parents first, before any item is. A taxonomy without a
 * definition here is reported. Jobs and the command make it before (stages_terms.c).
 *
 * A term has one slug and one translation group in all locales. If the site has it in different
 * groups, the import fails before anything is made.
 */
#include "item/terms.h"
#include "item/termname.h"
#include "item/trial.h"
#include "plan/names.h"
#include "read/text.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stet/taxonomies.h>
#include <string.h>

#define SEEN_MAX 50000
#define UNMADE_MAX 10000 /* terms that cannot be made */
#define PAGE 100
#define DEEP_MAX 100 /* ancestors of a parent */
#define ORDERED_MAX 8 /* passes in the order of the file, for children before their parents */
#define NAME_MAX 200
#define DESCRIPTION_MAX 5000
#define TAXONOMIES_MAX 1000 /* of a source; further ones are not imported */
#define TAXONOMY_MOST 255 /* bytes of a name */

const char *
terms_taxonomy(const char *source)
{
	/* Taxonomies of menus, and of plugins that store locales as terms. */
	static const char *const others[] = { "nav_menu", "language", "term_language",
		"post_translations", "term_translations", "" };

	if (strcmp(source, "post_tag") == 0)
		return "tag";
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(others[i], source) == 0)
			return NULL;
	return strlen(source) <= TAXONOMY_MOST ? source : NULL;
}

/* A term by the parts of its name in the map. */
struct want {
	const char *taxonomy, *slug, *locale;
};

static const char *
name_of(struct stet_call *call, const char *taxonomy, const char *slug)
{
	return stet_printf(call, "%s" MAP_SEP "%s", taxonomy, slug);
}

static const char *
part(struct stet_call *call, const char **text)
{
	size_t len = strcspn(*text, MAP_SEP);
	const char *out = stet_strndup(call, *text, len);

	*text += len + ((*text)[len] != '\0');
	return out;
}

static const char *
wanted_of(struct stet_call *call, const struct want *w)
{
	return stet_printf(call, "%s" MAP_SEP "%s", name_of(call, w->taxonomy, w->slug), w->locale);
}

static void
want_of(struct stet_call *call, const char *source, struct want *out)
{
	out->taxonomy = part(call, &source);
	out->slug = part(call, &source);
	out->locale = part(call, &source);
}

/* ---- the first pass ---- */

enum stet_status
terms_note(struct run *run, const struct wxr_term *term, const char *locale)
{
	struct stet_call *call = run->call;
	const char *taxonomy = terms_taxonomy(term->taxonomy), *name, *slug, *wanted;
	bool head = term->id > 0;

	if (!run->taxonomies || taxonomy == NULL)
		return STET_OK;
	STET_TRY(term_slug_note(call, run, taxonomy, term->slug, term->name, &slug));
	if (*slug == '\0')
		return STET_OK;
	name = name_of(call, taxonomy, slug);
	wanted = stet_printf(call, "%s" MAP_SEP "%s", name, locale);
	if (!head && json_object_get(run->seen, wanted) != NULL)
		return STET_OK;
	if (json_object_size(run->seen) >= SEEN_MAX)
		(void)json_object_clear(run->seen);
	(void)json_object_set_new(run->seen, wanted, json_true());
	STET_TRY(map_note(run, MAP_WANTED, wanted, ""));
	if (!head)
		return map_note(run, MAP_LABEL, wanted, text_decode(call, term->name));
	STET_TRY(map_note(
	    run, MAP_ORDER, stet_printf(call, "%019lld", (long long)run->head_terms++), wanted));
	return map_note(run, MAP_TERM, name,
	    json_dumps_own(
		call, json_pack("{ss ss ss}", "name", text_decode(call, term->name), "description",
			  text_plain(call, term->description), "parent",
			  text_cut(call, text_unescape(call, term->parent), TERM_SLUG_MAX))));
}

enum stet_status
terms_number(struct run *run, const struct wxr_term *term)
{
	struct stet_call *call = run->call;
	const char *taxonomy = terms_taxonomy(term->taxonomy);
	const char *slug = text_cut(call, text_unescape(call, term->slug), TERM_SLUG_MAX);

	if (!run->taxonomies || taxonomy == NULL || term->id <= 0 || *slug == '\0')
		return STET_OK;
	return map_note(run, MAP_NUMBER, map_id(call, term->id), name_of(call, taxonomy, slug));
}

/* ---- definitions ---- */

/* The definition here, {name, collections, hierarchical}; NULL: there is none. */
static enum stet_status
definition_of(struct stet_call *call, const struct run *run, const char *taxonomy, json_t **out)
{
	const char *name = names_taxonomy(call, run->names, taxonomy);
	json_t *known = json_object_get(run->definitions, taxonomy), *reply = NULL;
	enum stet_status status;

	if (known == NULL && (known = json_object_get(run->makes_taxonomies, name)) != NULL)
		(void)json_object_set(run->definitions, taxonomy, known);
	*out = json_is_object(known) ? known : NULL;
	if (known != NULL || json_object_size(run->definitions) >= TAXONOMIES_MAX)
		return STET_OK;
	status = stet_invoke_json(call, "taxonomy_get", json_pack("{ss}", "name", name), &reply);
	if (status != STET_OK && stet_error_status(call) != STET_NOT_FOUND)
		return status;
	stet_error_clear(call);
	known =
	    status == STET_OK ? json_deep_copy(json_object_get(reply, "taxonomy")) : json_false();
	(void)json_object_set_new(run->definitions, taxonomy, known);
	*out = json_is_object(known) ? known : NULL;
	return STET_OK;
}

bool
terms_in(const json_t *list, const char *text)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (strcmp(json_string_value(v), text) == 0)
			return true;
	}
	return false;
}

bool
terms_takes(const json_t *definition, const char *collection)
{
	const json_t *only = json_object_get(definition, "collections");

	return json_is_object(definition) &&
	       (json_array_size(only) == 0 || terms_in(only, collection));
}

static const struct stet_taxonomies_1 *
taxonomies_of(struct stet_call *call)
{
	return stet_service(call, STET_TAXONOMIES_1);
}

/* Removes terms from the list that do not exist here, since a dry run makes none. */
static enum stet_status
leave_new(struct stet_call *call, const char *taxonomy, const char *locale, json_t *list)
{
	const char *id, *group;

	for (size_t i = json_array_size(list); i > 0; i--) {
		STET_TRY(taxonomies_of(call)->by_slug(call, taxonomy,
		    json_string_value(json_array_get(list, i - 1)), locale, &id, &group));
		if (id == NULL)
			(void)json_array_remove(list, i - 1);
	}
	return STET_OK;
}

enum stet_status
terms_of(struct stet_call *call, const struct run *run, const json_t *wanted,
    const char *collection, const char *locale, json_t **out, json_t *counts, json_t *refused)
{
	const char *taxonomy;
	json_t *slugs, *slug;
	size_t i;

	*out = stet_json_own(call, json_object());
	json_object_foreach((json_t *)(uintptr_t)wanted, taxonomy, slugs)
	{
		const json_t *d = json_object_get(run->definitions, taxonomy);
		json_t *list;

		if (json_is_object(d) && !terms_takes(d, collection))
			(void)json_array_append(refused, json_object_get(d, "name"));
		if (!terms_takes(d, collection))
			continue;
		list = json_array();
		json_array_foreach(slugs, i, slug)
		{
			const char *name = stet_printf(call, "%s" MAP_SEP "%s",
			    name_of(call, taxonomy, json_string_value(slug)), locale);

			if (json_object_get(run->unmade, name) == NULL &&
			    !terms_in(list, json_string_value(slug)) &&
			    json_array_size(list) < STET_TERMS_MAX)
				(void)json_array_append(list, slug);
		}
		report_add(counts, taxonomy, (int64_t)json_array_size(list));
		if (run->tries)
			STET_TRY(leave_new(call, text_in(d, "name"), locale, list));
		if (json_array_size(list) == 0)
			json_decref(list);
		else
			(void)json_object_set_new(
			    *out, json_string_value(json_object_get(d, "name")), list);
	}
	return STET_OK;
}

/* ---- making ---- */

/* A page of wanted terms. */
struct page {
	struct run *run;
	bool checks; /* only checks for conflicts of translation groups */
	bool ordered; /* only terms of the head of a file, in its order, whose parents exist */
	bool waits; /* some were left out, since their parents do not exist yet */
	char *after; /* malloc */
	size_t count;
	const char *source[PAGE];
	bool made[PAGE], found[PAGE];
};

/* Finds the term in any locale of the site; *id NULL: there is none. */
static enum stet_status
find_anywhere(struct stet_call *call, const char *taxonomy, const char *slug, const char **id)
{
	const char *const *locales = stet_locales(call), *group;

	*id = NULL;
	for (size_t i = 0; *id == NULL && locales[i] != NULL; i++)
		STET_TRY(
		    taxonomies_of(call)->by_slug(call, taxonomy, slug, locales[i], id, &group));
	return STET_OK;
}

/* Reads what the source has about a term: *head from the head of the file, or NULL, and its name.
 * *name is never "". */
static enum stet_status
told_of(struct stet_call *call, const struct run *run, const struct want *w, const json_t **head,
    const char **name)
{
	const char *key = name_of(call, w->taxonomy, w->slug), *value, *label = NULL;

	STET_TRY(map_get(call, run, MAP_TERM, key, &value));
	*head = map_json(call, value);
	STET_TRY(map_get(call, run, MAP_LABEL, wanted_of(call, w), &label));
	*name = text_in(*head, "name");
	/* The name in the head of a file is in the locale of the import, so other locales use the
	 * label. */
	if (label != NULL && (**name == '\0' || strcmp(w->locale, run->locale) != 0))
		*name = label;
	*name = text_cut(call, **name != '\0' ? *name : w->slug, NAME_MAX);
	return STET_OK;
}

/* Makes one term; its parent is there. */
static enum stet_status
make_one(struct stet_call *call, struct stet_tx *tx, const struct run *run, const struct want *w,
    const char *taxonomy, const char *parent)
{
	const char *name, *other, *description;
	const json_t *head;
	json_t *args, *reply;

	STET_TRY(told_of(call, run, w, &head, &name));
	STET_TRY(find_anywhere(call, taxonomy, w->slug, &other));
	description = text_cut(call, text_in(head, "description"), DESCRIPTION_MAX);
	args = json_pack("{ss ss ss ss}", "taxonomy", taxonomy, "slug", w->slug, "label", name,
	    "locale", w->locale);
	if (*description != '\0')
		(void)json_object_set_new(args, "description", json_string(description));
	if (other != NULL)
		(void)json_object_set_new(args, "translationOf", json_string(other));
	else if (parent != NULL)
		(void)json_object_set_new(args, "parentId", json_string(parent));
	STET_TRY(stet_invoke_json(call, "term_create", args, &reply));
	return map_put(call, tx, run, MAP_MADE, wanted_of(call, w), "");
}

/* Lists the ancestors of a term that do not exist yet, the nearest first. *parent: the id of the
 * first ancestor that exists, or NULL. */
static enum stet_status
ancestors_of(struct stet_call *call, const struct run *run, const struct want *w,
    const char *taxonomy, struct want *up, size_t *count, const char **parent)
{
	struct want at = *w;
	const json_t *head;
	const char *name, *group;

	*count = 0;
	*parent = NULL;
	while (*count < DEEP_MAX) {
		STET_TRY(told_of(call, run, &at, &head, &name));
		at.slug = text_in(head, "parent");
		if (*at.slug == '\0' || strcmp(at.slug, w->slug) == 0)
			return STET_OK;
		STET_TRY(taxonomies_of(call)->by_slug(
		    call, taxonomy, at.slug, w->locale, parent, &group));
		if (*parent != NULL)
			return STET_OK;
		for (size_t i = 0; i < *count; i++)
			if (strcmp(up[i].slug, at.slug) == 0)
				return STET_OK;
		/* A parent that the export does not list as a term is ignored. */
		STET_TRY(map_get(call, run, MAP_WANTED, wanted_of(call, &at), &name));
		if (name == NULL)
			return STET_OK;
		up[(*count)++] = at;
	}
	return STET_OK;
}

static enum stet_status
make_family(struct stet_call *call, struct stet_tx *tx, const struct run *run, const struct want *w,
    const json_t *definition)
{
	const char *taxonomy = text_in(definition, "name"), *parent = NULL, *group;
	struct want *up = stet_alloc(call, (DEEP_MAX + 1) * sizeof(*up));
	size_t count = 0;

	if (json_is_true(json_object_get(definition, "hierarchical")))
		STET_TRY(ancestors_of(call, run, w, taxonomy, up, &count, &parent));
	while (count-- > 0) {
		STET_TRY(make_one(call, tx, run, &up[count], taxonomy, parent));
		STET_TRY(taxonomies_of(call)->by_slug(
		    call, taxonomy, up[count].slug, w->locale, &parent, &group));
	}
	return make_one(call, tx, run, w, taxonomy, parent);
}

/* *out: the parent of the term has yet to be made. */
static enum stet_status
is_early(struct stet_call *call, const struct run *run, const struct want *w,
    const json_t *definition, bool *out)
{
	const char *taxonomy = text_in(definition, "name"), *parent = NULL;
	struct want *up = stet_alloc(call, (DEEP_MAX + 1) * sizeof(*up));
	size_t count = 0;

	if (json_is_true(json_object_get(definition, "hierarchical")))
		STET_TRY(ancestors_of(call, run, w, taxonomy, up, &count, &parent));
	*out = count > 0;
	return STET_OK;
}

static enum stet_status
make(struct stet_call *call, struct stet_tx *tx, void *arg, size_t i)
{
	struct page *p = arg;
	const struct run *run = p->run;
	const char *id, *group, *made;
	json_t *definition;
	struct want w;

	p->made[i] = p->found[i] = false;
	want_of(call, p->source[i], &w);
	STET_TRY(definition_of(call, run, w.taxonomy, &definition));
	if (definition == NULL || json_object_get(run->unmade, p->source[i]) != NULL)
		return STET_OK;
	STET_TRY(taxonomies_of(call)->by_slug(
	    call, text_in(definition, "name"), w.slug, w.locale, &id, &group));
	if (id == NULL && p->ordered) {
		bool early;

		STET_TRY(is_early(call, run, &w, definition, &early));
		p->waits |= early;
		if (early)
			return STET_OK;
	}
	if (id == NULL)
		STET_TRY(make_family(call, tx, run, &w, definition));
	/* The term may have been made before its turn, as a parent, or by an earlier attempt. */
	STET_TRY(map_get(call, run, MAP_MADE, p->source[i], &made));
	p->made[i] = made != NULL;
	p->found[i] = made == NULL;
	return STET_OK;
}

static enum stet_status
unmade(struct stet_call *call, void *arg, size_t i, enum stet_status status, const char *why)
{
	struct page *p = arg;
	struct want w;

	(void)status;
	want_of(call, p->source[i], &w);
	p->made[i] = p->found[i] = false;
	STET_TRY(outcome_tell(
	    p->run, stet_printf(call, "%s: %s", w.taxonomy, w.slug), OUTCOME_FAILED, why));
	(void)json_object_set_new(p->run->unmade, p->source[i], json_true());
	if (json_object_size(p->run->unmade) < UNMADE_MAX)
		return STET_OK;
	return stet_fail(call, STET_VALIDATION_ERROR, "file",
	    "More than %d terms cannot be made; the last: %s", UNMADE_MAX, why);
}

/* ---- checking ---- */

static enum stet_status
check(struct stet_call *call, const struct page *p, size_t i)
{
	const char *id, *group, *first = NULL, *const *locales = stet_locales(call);
	json_t *definition;
	struct want w;

	want_of(call, p->source[i], &w);
	STET_TRY(definition_of(call, p->run, w.taxonomy, &definition));
	if (definition == NULL) {
		if (json_object_size(p->run->report.missing) < TAXONOMIES_MAX)
			(void)json_object_set_new(p->run->report.missing, w.taxonomy, json_true());
		return STET_OK;
	}
	for (size_t n = 0; locales[0] != NULL && locales[1] != NULL && locales[n] != NULL; n++) {
		STET_TRY(taxonomies_of(call)->by_slug(
		    call, text_in(definition, "name"), w.slug, locales[n], &id, &group));
		if (group == NULL)
			continue;
		if (first != NULL && strcmp(first, group) != 0)
			return stet_fail(call, stet_code(call, "WXR_IMPORT_TAXONOMY_CONFLICT"),
			    NULL,
			    "Term '%s' of taxonomy '%s' is there in locale '%s' as the translation "
			    "of another term: rename one of both, or join them, then import again",
			    w.slug, text_in(definition, "name"), locales[n]);
		first = first != NULL ? first : group;
	}
	return STET_OK;
}

/* ---- pages ---- */

static enum stet_status
read_page(struct stet_call *call, struct page *p)
{
	struct stet_rows rows;

	p->count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT source, value FROM import_map WHERE run = ?1 AND kind = ?2 AND source > ?3"
	    " ORDER BY source LIMIT ?4",
	    STET_ARGS(p->run->id, p->ordered ? MAP_ORDER : MAP_WANTED, p->after, PAGE)));
	while (p->count < PAGE && stet_row(&rows)) {
		free(p->after);
		if ((p->after = strdup(stet_col_str(&rows, 0))) == NULL)
			stet_out_of_memory();
		p->source[p->count++] = stet_col_dup(&rows, p->ordered ? 1 : 0);
	}
	return stet_rows_end(&rows);
}

static void
tally(struct stet_call *call, const struct page *p)
{
	struct report *r = &p->run->report;
	struct want w;

	for (size_t i = 0; i < p->count; i++) {
		want_of(call, p->source[i], &w);
		if (p->made[i])
			report_add(r->terms_made, w.taxonomy, 1);
		else if (p->found[i])
			report_add(r->terms_found, w.taxonomy, 1);
	}
}

static enum stet_status
page_scope(struct stet_call *call, void *arg)
{
	struct page *p = arg;
	struct stet_steps batch = { 0, make, unmade, p };

	STET_TRY(read_page(call, p));
	if (p->count == 0)
		return STET_OK;
	if (p->checks) {
		for (size_t i = 0; i < p->count; i++)
			STET_TRY(check(call, p, i));
	} else {
		batch.count = p->count;
		STET_TRY(trial_steps(call, p->run, &batch, NULL));
		if (!p->ordered) /* the last pass has all of them */
			tally(call, p);
	}
	return STET_OK;
}

/* *waits: some terms were left out, since their parents do not exist yet. May be NULL. */
static enum stet_status
all_pages(struct run *run, bool checks, bool ordered, bool *waits)
{
	struct page *p = calloc(1, sizeof(*p));
	enum stet_status status = STET_OK;

	if (p == NULL || (p->after = strdup("")) == NULL)
		stet_out_of_memory();
	p->run = run;
	p->checks = checks;
	p->ordered = ordered;
	do {
		status = stet_scope(run->call, page_scope, p);
		if (status == STET_OK && run->told != NULL)
			status = run->told(run, RUN_TERM);
	} while (status == STET_OK && p->count > 0);
	if (waits != NULL)
		*waits = p->waits;
	free(p->after);
	free(p);
	return status;
}

enum stet_status
terms_numbered(struct stet_call *call, const struct run *run, const char *number,
    const char **taxonomy, const char **id)
{
	const char *value, *group;
	json_t *definition;
	struct want w;

	*id = NULL;
	STET_TRY(map_get(call, run, MAP_NUMBER, number, &value));
	if (value == NULL)
		return STET_OK;
	want_of(call, value, &w);
	STET_TRY(definition_of(call, run, w.taxonomy, &definition));
	if (definition == NULL)
		return STET_OK;
	*taxonomy = text_in(definition, "name");
	STET_TRY(taxonomies_of(call)->by_slug(call, *taxonomy, w.slug, run->locale, id, &group));
	w.locale = run->locale;
	if (*id == NULL && run->tries && json_object_get(run->unmade, wanted_of(call, &w)) == NULL)
		*id = "";
	return STET_OK;
}

enum stet_status
terms_make(struct run *run)
{
	bool waits = true;

	if (!run->taxonomies)
		return STET_OK;
	STET_TRY(all_pages(run, true, false, NULL));
	/* A dry run rolls parents back, so no term can wait for one. */
	for (int i = 0; waits && !run->tries && i < ORDERED_MAX; i++)
		STET_TRY(all_pages(run, false, true, &waits));
	return all_pages(run, false, false, NULL);
}
