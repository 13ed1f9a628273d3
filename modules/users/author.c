/*
 * author.c - include=author: adds the authors of a reply's items as included records
 * (stet/include.h), with the members of the list of a collection's authors, without the address.
 */
#include "users.h"
#include <stet/include.h>
#include <string.h>

#define CHUNK 100

static const struct stet_member author_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "avatarUrl", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};

static enum stet_status
read_some(
    struct stet_call *call, struct stet_include_page *page, const char *const *id, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	struct stet_json *out;

	stet_sql_add(sql, "SELECT id, name, avatar_url FROM users WHERE id IN ");
	stet_sql_texts(sql, id, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *key = stet_col_dup(&rows, 0);

		if ((out = stet_include_row(page, key)) == NULL)
			continue;
		stet_object(out, key);
		stet_put_columns(out, &rows, 0, author_shape, 3);
		stet_close(out);
	}
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++)
		if ((out = stet_include_row(page, id[i])) != NULL)
			stet_put_null(out, id[i]);
	return STET_OK;
}

static enum stet_status
author_read(struct stet_call *call, struct stet_include_page *page)
{
	const char *id[CHUNK];
	size_t count = 0;

	for (size_t i = 0; i < page->count; i++) {
		const char *author = page->item[i]->author;
		size_t k = 0;

		while (author != NULL && k < count && strcmp(id[k], author) != 0)
			k++;
		if (author == NULL || k < count)
			continue;
		id[count++] = author;
		if (count < CHUNK)
			continue;
		STET_TRY(read_some(call, page, id, count));
		count = 0;
	}
	return count > 0 ? read_some(call, page, id, count) : STET_OK;
}

const struct stet_include user_includes[1] = {
	{ .name = "author",
	    .about = "The users who are the authors of the items: id, name, avatarUrl. Only for "
		     "those who may read drafts; bylines are for everybody",
	    .op = "content_authors",
	    .read = author_read },
};
