/* person.c - the byline of a person, found or made, for importers. */
#include "bylines.h"
#include <string.h>

#define TRIES 1000

/* The user's byline in this locale, or one in another to translate. */
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

/* A guest of this name has the slug, or a numbered one: that one. Otherwise *slug is free. */
static enum stet_status
of_guest(struct stet_call *call, const struct stet_byline_person *who, const char *base,
    const char **id, const char **slug)
{
	struct stet_rows rows;
	bool same, free;

	*slug = base;
	for (int i = 2; i <= TRIES; i++) {
		STET_TRY(stet_query(call, &rows,
		    "SELECT id, is_guest = 1 AND display_name = ?3 FROM byline"
		    " WHERE slug = ?1 AND locale = ?2",
		    STET_ARGS(*slug, who->locale, who->name)));
		free = !stet_row(&rows);
		same = !free && stet_col_int(&rows, 1) != 0;
		*id = same ? stet_col_dup(&rows, 0) : NULL;
		STET_TRY(stet_rows_end(&rows));
		if (free || same)
			return STET_OK;
		*slug = stet_printf(call, "%s-%d", base, i);
	}
	return stet_fail(
	    call, STET_SLUG_CONFLICT, "slug", "\"%s\" and its numbers are taken", base);
}

enum stet_status
byline_person(struct stet_call *call, struct stet_tx *tx, const struct stet_byline_person *who,
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
