/* person.c - for importers: finds the byline of a person, or creates it. */
#include "bylines.h"
#include <string.h>

/* The user's byline in this locale, or else one in another locale to translate. */
static enum stet_status
of_user(struct stet_call *call, const char *user, const char *locale, struct byline *b)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " BYLINE_COLUMNS " FROM byline AS b WHERE b.user_id = ?1"
	    " ORDER BY CASE WHEN b.locale = ?2 THEN 0 ELSE 1 END, b.locale LIMIT 1",
	    STET_ARGS(user, locale)));
	if (stet_row(&rows))
		byline_load(&rows, b);
	return stet_rows_end(&rows);
}

/* Returns true for "base-" and a number. */
static bool
is_numbered(const char *slug, const char *base)
{
	const char *digits = slug + strlen(base) + 1;

	return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

/* The guest of this name whose slug is the wanted one or a numbered form of it. Otherwise *id is
 * NULL, and *slug is a free slug. */
static enum stet_status
of_guest(struct stet_call *call, const struct stet_byline_person *who, const char *base,
    const char **id, const char **slug)
{
	struct stet_rows rows;

	*id = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, slug FROM byline WHERE slug = ?1 AND locale = ?4"
	    " AND is_guest = 1 AND display_name = ?5 UNION ALL"
	    " SELECT id, slug FROM byline WHERE slug >= ?2 AND slug < ?3 AND locale = ?4"
	    " AND is_guest = 1 AND display_name = ?5",
	    STET_ARGS(base, stet_printf(call, "%s-0", base), stet_printf(call, "%s-:", base),
		who->locale, who->name)));
	while (*id == NULL && stet_row(&rows)) {
		*slug = stet_col_dup(&rows, 1);
		if (strcmp(*slug, base) == 0 || is_numbered(*slug, base))
			*id = stet_col_dup(&rows, 0);
	}
	STET_TRY(stet_rows_end(&rows));
	return *id != NULL ? STET_OK : byline_number(call, base, who->locale, slug);
}

/* The guest in another locale, with the same name and slug, is the same person. */
static enum stet_status
group_of_guest(struct stet_call *call, const struct stet_byline_person *who, const char *base,
    const char **group)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT b.translation_group FROM byline AS b WHERE b.slug = ?1 AND b.is_guest = 1"
	    " AND b.display_name = ?2 AND b.locale <> ?3 AND NOT EXISTS (SELECT 1 FROM byline AS o"
	    " WHERE o.translation_group = b.translation_group AND o.locale = ?3)"
	    " ORDER BY b.locale LIMIT 1",
	    STET_ARGS(base, who->name, who->locale)));
	if (stet_row(&rows))
		*group = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
find_or_make(struct stet_call *call, struct stet_tx *tx, const struct stet_byline_person *who,
    const char **id)
{
	struct byline b = {
		.name = who->name, .user = who->user_id, .guest = who->user_id == NULL
	};
	const char *base = byline_slugify(call, who->slug != NULL ? who->slug : who->name);

	*id = NULL;
	if (who->user_id == NULL) {
		STET_TRY(of_guest(call, who, base, id, &b.slug));
		if (*id != NULL)
			return STET_OK;
		STET_TRY(group_of_guest(call, who, base, &b.group));
	} else {
		STET_TRY(byline_check_user(call, who->user_id));
		STET_TRY(stet_issues(call));
		STET_TRY(of_user(call, who->user_id, who->locale, &b));
		*id = b.id;
		if (b.id != NULL && strcmp(b.locale, who->locale) == 0)
			return STET_OK;
		STET_TRY(byline_number(call, b.slug != NULL ? b.slug : base, who->locale, &b.slug));
	}
	b.id = *id = stet_id(call);
	b.locale = who->locale;
	if (b.group == NULL)
		b.group = b.id;
	return byline_save(call, tx, &b, true);
}

enum stet_status
byline_person(struct stet_call *call, struct stet_tx *tx, const struct stet_byline_person *given,
    size_t size, const char **id)
{
	struct stet_byline_person who;

	stet_extend(&who, sizeof(who), given, size);
	return find_or_make(call, tx, &who, id);
}
