/*
 * termname.c - the slugs of terms. Systems with terms of their own give each a slug. Rows, front
 * matter and lines of JSON have labels alone; plan/names chooses slugs for these, so that labels
 * that differ are terms that differ.
 */
#include "item/termname.h"
#include "plan/names.h"
#include "read/label.h"
#include "read/text.h"
#include <stet/taxonomies.h>
#include <string.h>

#define BASE_MAX 190 /* characters of a slug without its number */
#define NUMBERS_MAX 100 /* terms here with one slug and numbers */

static const char *
label_of(struct stet_call *call, const char *label)
{
	return text_cut(call, text_decode(call, label), TERM_SLUG_MAX);
}

const char *
term_slug(struct stet_call *call, const struct run *run, const char *taxonomy, const char *slug,
    const char *label)
{
	const char *known;

	if (*slug != '\0')
		return text_cut(call, text_unescape(call, slug), TERM_SLUG_MAX);
	label = label_of(call, label);
	known = names_term_known(call, run->names, taxonomy, label);
	return known != NULL ? known : text_cut(call, label_slug(call, label), BASE_MAX);
}

enum stet_status
term_label(struct stet_call *call, const char *id, const char **out)
{
	const struct stet_taxonomies_1 *terms = stet_service(call, STET_TAXONOMIES_1);
	struct stet_term_found found = { 0 };
	struct stet_table table;

	STET_TRY(terms->find(call, &id, 1, stet_locales(call)[0], &table));
	stet_table_row(&table, 0, &found, sizeof(found));
	*out = found.label != NULL ? found.label : "";
	return STET_OK;
}

/* Finds a term here by its slug, in any locale. *other: its label; NULL: there is none, or `label`
 * is its label in a locale. *same tells these cases apart. */
static enum stet_status
find_here(struct stet_call *call, const char *taxonomy, const char *slug, const char *label,
    const char **other, bool *same)
{
	const struct stet_taxonomies_1 *terms = stet_service(call, STET_TAXONOMIES_1);
	const char *const *locales = stet_locales(call), *id, *group;

	*other = NULL;
	*same = false;
	for (size_t i = 0; locales[i] != NULL && !*same; i++) {
		STET_TRY(terms->by_slug(call, taxonomy, slug, locales[i], &id, &group));
		if (id == NULL)
			continue;
		STET_TRY(term_label(call, id, other));
		*same = names_same_term(call, *other, label);
	}
	if (*same)
		*other = NULL;
	return STET_OK;
}

/* Chooses a slug for a label. The term here that has the label may have a number in its slug. */
static enum stet_status
choose(struct stet_call *call, const struct run *run, const char *taxonomy, const char *label,
    const char **out)
{
	const char *name = names_taxonomy(call, run->names, taxonomy);
	const char *base = text_cut(call, label_slug(call, label), BASE_MAX), *slug = base;
	const char *other = NULL, *first = NULL;
	bool same = false;

	for (int n = 1; n < NUMBERS_MAX && *base != '\0'; n++) {
		slug = n == 1 ? base : stet_printf(call, "%s-%d", base, n);
		STET_TRY(find_here(call, name, slug, label, &other, &same));
		if (same || other == NULL)
			break;
		if (n == 1)
			first = other;
	}
	*out = names_term(call, run->names, taxonomy, label, same ? slug : base);
	if (!same && first != NULL && strcmp(*out, base) == 0)
		names_tell(run->names, taxonomy,
		    stet_printf(call,
			"\"%.100s\" becomes the term \"%s\", which is \"%.100s\" here", label, base,
			first));
	return STET_OK;
}

enum stet_status
term_slug_note(struct stet_call *call, const struct run *run, const char *taxonomy,
    const char *slug, const char *label, const char **out)
{
	*out = term_slug(call, run, taxonomy, slug, label);
	label = label_of(call, label);
	if (*slug != '\0' && run->from != NULL)
		names_term_given(call, run->names, taxonomy, *out, label);
	if (*slug != '\0' || names_term_known(call, run->names, taxonomy, label) != NULL)
		return STET_OK;
	return choose(call, run, taxonomy, label, out);
}
