/* edit.c - creates, translates, changes and deletes terms. */
#include "taxonomies.h"
#include <stet/changes.h>
#include <string.h>

#define SLUG_PATTERN "^[^\\x00-\\x1f\\x7f]+(?![\\s\\S])"

#define HAS STET_REQUIRED
/* clang-format off */
#define TAXONOMY { "taxonomy", STET_STRING, HAS, .about = "Name of the taxonomy" }
#define SLUG(flags_, about_) \
	{ "slug", STET_STRING, flags_, .pattern = SLUG_PATTERN, STET_RANGE(1, 200), .about = (about_) }
#define LABEL(flags_) { "label", STET_STRING, flags_, STET_RANGE(1, 200) }
#define PARENT(min_) \
	{ "parentId", STET_STRING, STET_NULLABLE, STET_RANGE(min_, 64), \
	    .about = "The term above it; null: at the top" }
#define DESCRIPTION { "description", STET_STRING, STET_NULLABLE, STET_RANGE(0, 5000) }
#define OF_LOCALE(flags_, about_) \
	{ "locale", STET_STRING, flags_, STET_RANGE(1, 64), .about = (about_) }
#define NEW_IN \
	OF_LOCALE(0, "The site's default when omitted"), \
	{ "translationOf", STET_STRING, STET_RANGE(1, 64), \
	    .about = "Id of the term in another locale" }
#define NAMED \
	TAXONOMY, \
	{ "termSlug", STET_STRING, HAS, .about = "Slug of the term" }
/* clang-format on */

const struct stet_member term_create_in[] = {
	TAXONOMY,
	SLUG(0, "Made from the label when omitted"),
	LABEL(HAS),
	PARENT(0),
	DESCRIPTION,
	NEW_IN,
	{ 0 },
};
const struct stet_member term_create_tool_in[] = {
	TAXONOMY,
	SLUG(HAS, "Unique in the taxonomy and locale"),
	LABEL(HAS),
	PARENT(1),
	DESCRIPTION,
	NEW_IN,
	{ 0 },
};
const struct stet_member term_update_in[] = {
	NAMED,
	SLUG(0, "The new slug"),
	LABEL(0),
	PARENT(0),
	DESCRIPTION,
	OF_LOCALE(STET_QUERY, "The lowest that has the slug when omitted"),
	{ 0 },
};
const struct stet_member term_delete_in[] = {
	NAMED,
	OF_LOCALE(0, "The lowest that has the slug when omitted"),
	{ 0 },
};
const struct stet_member term_translate_in[] = {
	NAMED,
	OF_LOCALE(HAS, "Of the translation"),
	LABEL(0),
	SLUG(0, "Made from the label when omitted"),
	{ 0 },
};

/* ---- saving ---- */

/* Returns the id of a term in the change feed: its path below /taxonomies/, without /terms. */
static const char *
feed_name(struct stet_call *call, const struct term *t, const char *slug)
{
	return stet_printf(call, "%s/%s", t->taxonomy, slug);
}

static enum stet_status
is_taken(struct stet_call *call, const struct term *t, const char *slug, bool *taken)
{
	return has_row(call, taken,
	    "SELECT 1 FROM term WHERE taxonomy = ?1 AND slug = ?2 AND locale = ?3 AND id <> ?4",
	    STET_ARGS(t->taxonomy, slug, t->locale, t->id));
}

/* Makes a slug from the label: base, base-1, base-2 … */
static enum stet_status
make_slug(struct stet_call *call, struct term *t)
{
	const char *base = stet_slugify(call, t->label);

	return stet_free_name(call, *base != '\0' ? base : "term", 1,
	    "term WHERE taxonomy = ?2 AND locale = ?3 AND slug = ",
	    STET_ARGS(t->taxonomy, t->locale), &t->slug);
}

/* After a UNIQUE index refused a write: fails with an error that names the value. */
static enum stet_status
conflict(struct stet_call *call, const struct term *t)
{
	bool taken;

	STET_TRY(is_taken(call, t, t->slug, &taken));
	if (taken)
		return stet_fail(call, STET_CONFLICT, "slug",
		    "Term '%s' already exists in '%s' (%s)", t->slug, t->taxonomy, t->locale);
	return stet_fail(
	    call, STET_CONFLICT, "locale", "The term has a translation in '%s' already", t->locale);
}

static enum stet_status
media_changed(struct stet_call *call, const struct term *t)
{
	return stet_run_media_holder_changed(call, stet_write_tx(call), "term", t->id);
}

static enum stet_status
insert(struct stet_call *call, struct term *t)
{
	enum stet_status status = stet_exec(call, stet_write_tx(call),
	    "INSERT INTO term (id, taxonomy, slug, label, description, parent_group, position,"
	    " locale, translation_group, label_key, slug_key)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
	    STET_ARGS(t->id, t->taxonomy, t->slug, t->label, t->description, t->parent, t->position,
		t->locale, t->group, sought_key(call, t->label), sought_key(call, t->slug)));

	if (status == STET_CONFLICT)
		return conflict(call, t);
	STET_TRY(status);
	return media_changed(call, t);
}

/* ---- creating ---- */

/* Reads the argument parentId; leaves *parent unchanged if the argument is absent. */
static enum stet_status
take_parent(struct stet_call *call, const char *taxonomy, const char *text, const char **parent)
{
	if (text == NULL || *text == '\0')
		return STET_OK;
	return place_parent(call, taxonomy, text, parent);
}

/* Adds a row in another locale to an existing term. The row has the term's place; if the request
 * names another parent, the term moves there in all locales. */
static enum stet_status
join(struct stet_call *call, const struct term *of, const char *parent, struct term *t)
{
	struct term moved = *of;

	if (strcmp(parent, of->parent) != 0) {
		STET_TRY(place_check(call, of->taxonomy, of->group, parent));
		STET_TRY(stet_issues(call));
		STET_TRY(place_move(call, stet_write_tx(call), &moved, parent));
	}
	t->group = of->group;
	t->parent = moved.parent;
	t->position = moved.position;
	return STET_OK;
}

static enum stet_status
place_new(struct stet_call *call, const char *parent, struct term *t)
{
	if (*parent != '\0')
		STET_TRY(place_check(call, t->taxonomy, NULL, parent));
	STET_TRY(stet_issues(call));
	t->group = t->id;
	t->parent = parent;
	return place_last(call, t->taxonomy, parent, &t->position);
}

/* `of`: the term in another locale, or NULL for a new term. */
static enum stet_status
create(struct stet_call *call, const struct term *of, const char *parent_id, struct term *t)
{
	const char *parent = of != NULL ? of->parent : "";

	t->id = stet_id(call);
	t->locale = stet_locale_stored(call, stet_arg(call, "locale"));
	t->slug = stet_arg(call, "slug");
	if (stet_has(call, "label"))
		t->label = stet_arg(call, "label");
	STET_TRY(take_parent(call, t->taxonomy, parent_id, &parent));
	STET_TRY(stet_issues(call));
	STET_TRY(of != NULL ? join(call, of, parent, t) : place_new(call, parent, t));
	if (t->slug == NULL)
		STET_TRY(make_slug(call, t));
	STET_TRY(insert(call, t));
	STET_TRY(
	    stet_note(call, stet_write_tx(call), "term", feed_name(call, t, t->slug), "create"));
	term_reply(call, t);
	return STET_OK;
}

enum stet_status
term_create(struct stet_call *call)
{
	const char *of = stet_arg(call, "translationOf");
	struct term t = { .description = stet_arg(call, "description") };
	struct taxonomy taxonomy;
	struct term source;
	bool found;

	STET_TRY(taxonomy_find(call, stet_arg(call, "taxonomy"), NULL, &taxonomy));
	t.taxonomy = taxonomy.name;
	if (of == NULL)
		return create(call, NULL, stet_arg(call, "parentId"), &t);
	STET_TRY(term_by_id(call, of, &source, &found));
	if (!found)
		return stet_fail(
		    call, STET_NOT_FOUND, "translationOf", "Source term for translation not found");
	if (strcmp(source.taxonomy, t.taxonomy) != 0)
		stet_issue(call, "translationOf", "belongs to taxonomy '%s', not '%s'",
		    source.taxonomy, t.taxonomy);
	return create(call, &source, stet_arg(call, "parentId"), &t);
}

/* The argument `locale` is the new row's; the source is the row with this slug in the lowest
 * locale. */
enum stet_status
term_translate(struct stet_call *call)
{
	struct term t = { 0 }, source;

	STET_TRY(term_find_any(call, &source));
	t.taxonomy = source.taxonomy;
	t.label = source.label;
	t.description = source.description;
	return create(call, &source, NULL, &t);
}

/* ---- changing ---- */

/* Moves the term: null means to the top, an id means below that parent; "" or no argument does not
 * move it. */
static enum stet_status
move(struct stet_call *call, struct term *t)
{
	const char *parent = t->parent;

	if (!stet_has(call, "parentId"))
		return STET_OK;
	if (stet_arg(call, "parentId") == NULL)
		parent = "";
	STET_TRY(take_parent(call, t->taxonomy, stet_arg(call, "parentId"), &parent));
	STET_TRY(stet_issues(call));
	if (strcmp(parent, t->parent) == 0)
		return STET_OK;
	STET_TRY(place_check(call, t->taxonomy, t->group, parent));
	STET_TRY(stet_issues(call));
	return place_move(call, stet_write_tx(call), t, parent);
}

enum stet_status
term_update(struct stet_call *call)
{
	enum stet_status status;
	struct term t;

	STET_TRY(term_find(call, &t));
	STET_TRY(move(call, &t));
	if (stet_has(call, "slug"))
		t.slug = stet_arg(call, "slug");
	if (stet_has(call, "label"))
		t.label = stet_arg(call, "label");
	if (stet_has(call, "description"))
		t.description = stet_arg(call, "description");
	status = stet_exec(call, stet_write_tx(call),
	    "UPDATE term SET slug = ?2, label = ?3, description = ?4, label_key = ?5, slug_key = ?6"
	    " WHERE id = ?1",
	    STET_ARGS(t.id, t.slug, t.label, t.description, sought_key(call, t.label),
		sought_key(call, t.slug)));
	if (status == STET_CONFLICT)
		return conflict(call, &t);
	STET_TRY(status);
	STET_TRY(media_changed(call, &t));
	STET_TRY(stet_note_renamed(call, stet_write_tx(call), "term",
	    feed_name(call, &t, stet_arg(call, "termSlug")), feed_name(call, &t, t.slug)));
	term_reply(call, &t);
	return STET_OK;
}

/* ---- deleting ---- */

enum stet_status
term_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	int64_t items;
	struct term t;
	bool found;

	STET_TRY(term_find(call, &t));
	STET_TRY(removes_count(
	    call, "SELECT COUNT(*) FROM content_term WHERE term_group = ?1", t.group, &items));
	STET_TRY(has_row(call, &found,
	    "SELECT 1 FROM term WHERE taxonomy = ?1 AND parent_group = ?2 LIMIT 1",
	    STET_ARGS(t.taxonomy, t.group)));
	if (found)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "Cannot delete term with children. Delete children first.");
	STET_TRY(stet_exec(call, tx, "DELETE FROM term WHERE id = ?1", STET_ARGS(t.id)));
	STET_TRY(media_changed(call, &t));
	STET_TRY(has_row(call, &found, "SELECT 1 FROM term WHERE translation_group = ?1 LIMIT 1",
	    STET_ARGS(t.group)));
	if (!found)
		STET_TRY(forget_term(call, tx, t.group));
	STET_TRY(stet_note(call, tx, "term", feed_name(call, &t, t.slug), "delete"));
	deleted_put(call, 1, found ? 0 : items); /* its translations keep the assignments */
	return STET_OK;
}
