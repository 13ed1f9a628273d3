/*
 * transfer.h - how a module's data becomes files and back, for "stet export" and "stet import
 * site". A module lists the tables that it moves in `transfers` of its descriptor; no other
 * module knows its tables. Secrets are not moved, nor data that belongs to one installation only
 * (users, tokens, logs).
 */
#ifndef STET_TRANSFER_H
#define STET_TRANSFER_H

#include <stet/call.h>
#include <stet/table.h>

/* Where `dump` writes its files. */
struct stet_export {
	/* Writes a file of this kind: the name "en/news" is KIND/en/news.json. The value is
	 * borrowed. */
	enum stet_status (*file)(
	    const struct stet_export *, struct stet_call *, const char *name, const json_t *value);
	void *arg;
	/* New fields go here, and nowhere else. */
};

/* What an import does, or would do in a dry run: numbers of rows. */
struct stet_import_count {
	int64_t created, updated, deleted, same;
	/* New fields go here, and nowhere else. */
};

/* One kind of rows: a table. A file holds one row (an object) or, with `many`, all rows of one
 * name (a list). An import compares the files with the table row by row and writes the
 * differences; if a mirror is asked for, it also deletes rows that no file has. */
struct stet_transfer {
	const char
	    *kind; /* "menus": the directory of the files, and the name of the kind in plans */
	const char *table;
	/* The columns that are moved, by their names in files: "sortOrder" is the column
	 * sort_order. A member without STET_REQUIRED may be NULL in the table and is then left
	 * out. STET_ANY is a column of JSON text. The members of an object with `of` are columns
	 * f_<name>: the fields of items. */
	const struct stet_member *row;
	const char *key; /* the members that identify a row, space separated: "id" */
	const char *name; /* SQL: the name of a row's file, "t.locale || '/' || t.name" */
	const char *join; /* SQL after FROM <table> AS t; NULL: nothing */
	const char *where; /* SQL: which rows are moved; NULL: all */
	const char *order; /* SQL: the order of the rows within a file; NULL: by name alone */
	bool many;
	bool stays; /* a mirror deletes no rows of this kind */
	/* A column that is not moved because it is derived from others, and is NOT NULL: it is
	 * "" until `settled` runs. NULL: there is none. */
	const char *derived;
	/* The kind in the change feed, and the member that names the record there. NULL: the
	 * feed is not told. */
	const char *feed, *feed_id;
	/* Called once all kinds are loaded, for each row of this kind that was written or
	 * deleted: checks it and reports the change. `change` is "create", "update" or "delete";
	 * key is an object with the members of `key`. Records problems as an error or an issue. */
	enum stet_status (*changed)(struct stet_call *, struct stet_tx *, const void *arg,
	    const char *change, const json_t *key);
	/* Then called once if any row has changed: updates what is derived from the rows. */
	enum stet_status (*settled)(struct stet_call *, struct stet_tx *);
	/* Instead of a table: files that the module writes and reads itself. `all` is {name:
	 * value}; with `remove`, deletes what is not in it. */
	enum stet_status (*dump)(struct stet_call *, const struct stet_export *);
	enum stet_status (*load)(struct stet_call *, struct stet_tx *, const json_t *all,
	    bool remove, struct stet_import_count *);
	/* Instead of all above: returns kinds that depend on definitions, as these are once the
	 * kinds before this one are loaded. *out is a table of struct stet_transfer that lives
	 * as long as the call. */
	enum stet_status (*kinds)(struct stet_call *, struct stet_table *out);
	const void *arg; /* passed to `changed` and `replacing` */
	/* Called before a stored row (`was`) is replaced by another (`row`), both in the form of
	 * files, to keep what must not be lost, such as a revision. NULL: nothing is kept. */
	enum stet_status (*replacing)(struct stet_call *, struct stet_tx *, const void *arg,
	    const json_t *was, const json_t *row);
	/* A unique text member whose value may move from one row to another: "slug". During such a
	 * move the rows temporarily have the value of their `key` (a single member) in it. NULL:
	 * none. */
	const char *moves;
	/* For the index of uses of media items (the module media-usage): the columns in which a row
	 * may refer to media items, space separated. They hold text or JSON; an id of a media item
	 * anywhere in it counts, and a URL of its file. `key` is then one column with a text, and
	 * each write of a row runs the hook point media_holder_changed. Exports and imports report
	 * missing media items, if the name of the column ends with media_id or its JSON refers to
	 * them (`gone` in media.h). NULL: no references. */
	const char *media;
	/* With `media`: the kind of the row ("widget"), and its name for people (SQL on the columns
	 * of the table, whose alias is t). */
	const char *media_kind, *media_name;
	/* Records an issue for each value of the row that the ops of its module would refuse now,
	 * such as the id of a missing item. The row stays as it is: exports and imports report the
	 * issue to the user, and an import with --strict fails. Called when all kinds are loaded,
	 * and at the end of an export, for kinds whose `key` is one member. `key` as for `changed`.
	 * NULL: there is none. */
	enum stet_status (*doubt)(struct stet_call *, const void *arg, const json_t *key);
	/* New fields go here, and nowhere else. */
};

/* ---- for the module media-usage ---- */

/* Copies the i-th row of the tables `transfers` of all enabled modules. Returns false if there are
 * fewer. Its `row` must not be read. */
static inline bool stet_transfer_at(struct stet_call *, size_t i, struct stet_transfer *out);

/* ---- the host's side of the function above: it is told the size of the structure in the caller's
 * headers ---- */

STET_API bool stet_transfer_at_sized(struct stet_call *, size_t, struct stet_transfer *, size_t);

static inline bool
stet_transfer_at(struct stet_call *call, size_t i, struct stet_transfer *out)
{
	return stet_transfer_at_sized(call, i, out, sizeof(*out));
}

#endif
