/*
 * names.h - the slugs that labels of a source get here: collections, fields, taxonomies and terms.
 * Labels are free texts. Several can make one slug ("First name" and "first-name"), and a slug can
 * be reserved. Each label gets a slug of its own, so that values do not replace each other and
 * terms do not become one; what is not obvious is told.
 *
 * A label keeps its slug in an import. The next import gives it the same one: labels come in the
 * order of the source, and a label of a field or term here is found by that.
 */
#ifndef IMPORT_NAMES_H
#define IMPORT_NAMES_H

#include <stet/call.h>

struct names {
	/* {type: collection} for types that do not go as suggested; "": the type is not imported.
	 * Or NULL. */
	const json_t *given;
	const json_t *chosen; /* {label: field} by the user, "": it is left out; or NULL */
	/* What was decided: {slugs: {space: {label: slug}}, owners: {space: {slug: label}}, told:
	 * [{about, text}]}. A job stores it. */
	json_t *known;
};

struct names *names_new(struct stet_call *);
/* Returns the collection for a type of items; NULL: the type is not imported. */
const char *names_collection(struct stet_call *, struct names *, const char *type);
/* Returns the name of the taxonomy here. */
const char *names_taxonomy(struct stet_call *, struct names *, const char *source);
/* Returns the slug of the field for a label of a type's items; NULL: it is left out, by the user or
 * since there are too many. */
const char *names_field(struct stet_call *, struct names *, const char *type, const char *label);
/* Has the user chosen the field for a label? */
bool names_chosen(const struct names *, const char *label);
/* Returns the label that has become the field; the slug itself if none has. */
const char *names_label(
    struct stet_call *, const struct names *, const char *type, const char *slug);

/* names_term returns the slug for a term that has only a label in the source; `wanted` is the one
 * that suits best, perhaps that of a term here. names_term_known returns the slug that the label
 * has got, or NULL. Labels are equal if they differ in case, blanks and hyphens alone. */
const char *names_term(struct stet_call *, struct names *, const char *taxonomy, const char *label,
    const char *wanted);
const char *names_term_known(
    struct stet_call *, const struct names *, const char *taxonomy, const char *label);
bool names_same_term(struct stet_call *, const char *label, const char *other);
/* Reserves the slug that a term has in the source. */
void names_term_given(
    struct stet_call *, struct names *, const char *taxonomy, const char *slug, const char *label);

/* Adds a sentence for people to `told`. */
void names_tell(struct names *, const char *about, const char *text);

#endif
