/*
 * transfer.h - what a module has of a site, as files: "stet export" and "stet import site". A
 * module lists what it moves in the table `transfers` of its descriptor; nobody else knows its
 * tables. Secrets, and what belongs to one stage of a site alone (users, tokens, logs), are not
 * moved.
 */
#ifndef STET_TRANSFER_H
#define STET_TRANSFER_H

#include <stet/call.h>
#include <stet/table.h>

/* Where `dump` puts its files. */
struct stet_export {
	/* Write a file of this kind: "en/news" is KIND/en/news.json. The value is borrowed. */
	enum stet_status (*file)(
	    const struct stet_export *, struct stet_call *, const char *name, const json_t *value);
	void *arg;
	/* New fields go here, and nowhere else. */
};

/* What an import does, or would. */
struct stet_import_count {
	int64_t created, updated, deleted, same;
	/* New fields go here, and nowhere else. */
};

/*
 * One kind of rows: a table, of which a file has one row (an object) or, with `many`, all those of
 * one name (a list). Files are compared with the table row by row; what differs is written, and
 * what no file has is deleted when a mirror is asked for.
 */
struct stet_transfer {
	const char *kind; /* "menus": the directory of the files, and its word in plans */
	const char *table;
	/*
	 * The columns that are moved, by their names in files: "sortOrder" is the column
	 * sort_order. One that may be NULL is not STET_REQUIRED, and left out then. STET_ANY is
	 * JSON text in the column. The members of an object with `of` are columns of their own,
	 * f_<name>: the fields of items.
	 */
	const struct stet_member *row;
	const char *key; /* members that name a row, space separated: "id" */
	const char *name; /* SQL, the name of a row's file: "t.locale || '/' || t.name" */
	const char *join; /* SQL behind FROM <table> AS t; NULL: nothing */
	const char *where; /* SQL of which rows are moved; NULL: all */
	const char *order; /* SQL, of the rows of one file; NULL: by name alone */
	bool many;
	bool stays; /* a mirror deletes none of them */
	/* A column that is not moved, since it is derived from others, and must not be NULL: ""
	 * until `settled`. NULL: there is none. */
	const char *derived;
	/* What the change feed calls the kind, and which member names the record there. NULL:
	 * nothing is told. */
	const char *feed, *feed_id;
	/*
	 * When all kinds are loaded, for each row of this kind that was written or deleted: is it
	 * sound, and who has to know of it? `change` is "create", "update" or "delete"; key is an
	 * object of the members of `key`. What is wrong is an error or an issue.
	 */
	enum stet_status (*changed)(struct stet_call *, struct stet_tx *, const void *arg,
	    const char *change, const json_t *key);
	/* Then once, if any row changed: what is derived from them is made anew. */
	enum stet_status (*settled)(struct stet_call *, struct stet_tx *);
	/* In place of the table: files of its own making. `all` is {name: value}; with `remove`,
	 * what is not in it goes. */
	enum stet_status (*dump)(struct stet_call *, const struct stet_export *);
	enum stet_status (*load)(struct stet_call *, struct stet_tx *, const json_t *all,
	    bool remove, struct stet_import_count *);
	/* In place of all: the kinds are made of definitions, as they are once the kinds before
	 * this one are loaded. *out is a table of struct stet_transfer that lives as long as the
	 * call. */
	enum stet_status (*kinds)(struct stet_call *, struct stet_table *out);
	const void *arg; /* for `changed` and `replacing` */
	/*
	 * Before a stored row (`was`) is replaced by another (`row`), both as in files: keep what
	 * is not to be lost, such as a revision. NULL: nothing is kept.
	 */
	enum stet_status (*replacing)(struct stet_call *, struct stet_tx *, const void *arg,
	    const json_t *was, const json_t *row);
	/* New fields go here, and nowhere else. */
};

#endif
